while true do
  flags.before = flags.before + 1
  next_update()
end
