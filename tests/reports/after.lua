while true do
  flags.after = flags.after + 1
  next_update()
end
