import { describe, expect, test } from "vitest"
import { commands } from "../../src/faces/cli/commands.ts"
import { dispatched } from "../dispatch-kit.ts"
import { temporaryFolder } from "../file-kit.ts"

const loaded = await Promise.all(commands.map(({ load }) => load()))
const folder = temporaryFolder()
const place = {
  directory: folder,
  environment: { HOME: folder, CADRE_STATE_DIR: `${folder}/state`, CADRE_CONFIG_DIR: `${folder}/config` },
}

describe.each(loaded)("$name", ({ name, options }) => {
  test("takes --json, and answers a wrong command line as JSON", async () => {
    expect(Object.keys(options)).toContain("json")
    const { code, stdout } = await dispatched([name, "--json", "--no-such-option"], place)
    expect({ code, error: JSON.parse(stdout).error }).toEqual({
      code: 2,
      error: { code: "USAGE", message: expect.stringContaining("--no-such-option") },
    })
  })
})

test.each([
  ["log", ["0nothing"], 2],
  ["approve", ["0nothing"], 2],
  ["cancel", ["0nothing"], 2],
  ["resume", ["0nothing"], 2],
  ["show", ["no-such-agent"], 2],
  ["explain", ["no-such-agent"], 2],
  ["run", ["no-such-agent", "Go."], 2],
  ["schema", ["no-such-format"], 2],
])("%s %j fails with one JSON object", async (name, words, expected) => {
  const { code, stdout } = await dispatched([name, ...words, "--json"], place)
  expect({ code, keys: Object.keys(JSON.parse(stdout)) }).toEqual({ code: expected, keys: ["error"] })
})
