/** What acai's subagents (002) must do here: the rows of its acceptance list, in its order. */
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"
import { markdown } from "./kit.ts"

const file = (yaml: string, body?: string) => markdown(`name: helper\ndescription: Helps.\n${yaml}`, body)

describe("002 row 3: names, models, recursion, parallel calls", () => {
  describe("on the command line", () => {
    let world: CommandWorld
    beforeEach(() => {
      world = new CommandWorld()
    })
    afterEach(() => world.remove())

    test("an acai file of the user runs by its name", async () => {
      world.put("home/.acai/subagents/helper.md", file("tools: Read", "Do {{task}}."))
      world.script({ helper: [{ text: "Helped." }] })
      expect(await world.cadre("run", "helper", "it", ...world.model)).toMatchObject({
        code: 0,
        stdout: "Helped.\n",
      })
    })
  })
})
