local a = actor("CYRUS")
a.pos.vx = 5
a.pos.vy = 7.0
a["pos.vz"] = -3
a.anim.rewind_flag = 1
a.grip[0] = 3
a.weapon_drawn = 257
a.angle.vy = 4096
print(a.pos.vx, a["pos.vy"], a.pos["vz"], a.anim.rewind_flag, a.grip[0], a.weapon_drawn, a.angle.vy)
a.grip[0] = a.grip[0] + 1
print(a.grip[0], a.POS.VX, a.Weapon_Drawn)
player.pos.vx = 9
print(player.pos.vx)
print(a:attribute(35), a:attribute("attr_draw_frame"), a:property("light"), attr.draw_frame, attr.attr_draw_frame)
print(item.sabre, a:rnd(100), a:rnd(100), a:myid(), a:getframepassed())
for _, each in ipairs(actors()) do
  print(each, each.name)
end
next_update()
print(a.pos.vx, a.weapon_drawn, a.shown)
