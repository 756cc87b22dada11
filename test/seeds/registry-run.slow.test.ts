/** What instructor-php's subagents (003) must do here: the rows of its acceptance list about runs. */
import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"

describe("003 row 5: histories, events, failures, names, files, resumption", () => {
  describe("on the command line", () => {
    let world: CommandWorld
    beforeEach(() => {
      world = new CommandWorld()
    })
    afterEach(() => world.remove())

    test.each(["../outside", "nested/agent", "..", "Upper"])("new %s writes no byte", async (name) => {
      expect((await world.cadre("new", name)).code).toBe(2)
      expect(fs.readdirSync(world.work)).toEqual([".git"])
    })

    test("new never overwrites: what was there stays, byte for byte", async () => {
      await world.cadre("new", "mine")
      const file = path.join(world.work, ".cadre/agents/mine.md")
      fs.appendFileSync(file, "Mine.\n")
      const before = fs.readFileSync(file, "utf8")
      const { code, stderr, stdout } = await world.cadre("new", "mine")
      expect([
        code === 0,
        `${stdout}${stderr}`.includes("already exists"),
        fs.readFileSync(file, "utf8"),
      ]).toEqual([false, true, before])
    })
  })
})
