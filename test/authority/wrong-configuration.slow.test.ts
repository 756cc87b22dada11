import { renameSync, symlinkSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.calling({ tool: "Write", input: { path: "a.txt", content: "a" } })
})
afterEach(() => world.remove())

const own = "config/config.yaml"
const projects = "work/.cadre/config.yaml"
const typo = "mode: default\npermissions: {dney: [Bash]}\n"
const runWords = () => ["run", "worker", "Go.", ...world.model]

const refusal = (...named: readonly string[]) =>
  naming("configuration is invalid", ...named, "`cadre check` shows")
const mistyped = (file: string) =>
  refusal(
    `  ${file}:2:15: \`permissions.dney\` is not a setting`,
    'mean "deny"',
    "Known: allow, ask, deny.",
    "(configuration-key)\n",
  )

test.each([
  ["a key that is none", typo, "2:15: `permissions.dney` is not a setting"],
  ["no YAML", "permissions: {deny: [Bash\n", "Invalid YAML"],
  [
    "a choice that is none",
    "sandbox: requierd\n",
    "1:10: `sandbox` must be one of required, preferred, off.",
  ],
  ["a limit that is none", "limits: {maxTurn: 2}\n", "1:19: limits: unknown limit"],
  ["rules of the wrong type", "permissions: {deny: {Bash: true}}\n", "1:21: `permissions.deny` must be"],
])("nothing starts under a configuration of the user's that is wrong: %s", async (_, text, said) => {
  world.put(own, text)
  const { code, stdout, stderr } = await world.cadre(...runWords())
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(said)])
  expect(stderr).toContain(path.join(world.base, own))
})

test.each([
  ["the file", own, "outside/config.yaml", "config"],
  ["its folder", "config", "outside", "config"],
  ["a folder above that", "config", "outside", "config/cadre"],
])(
  "nor where %s is a link that leads to nothing, as to a disk that is not there",
  async (_, place, target, folder) => {
    world.environment.CADRE_CONFIG_DIR = path.join(world.base, folder)
    const from = path.join(world.base, place)
    world.put(own, "")
    renameSync(from, `${from}-before`)
    symlinkSync(path.join(world.base, target), from)
    const { code, stderr } = await world.cadre("run", "explorer", "Go.", ...world.model)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("config.yaml:1:1: The file cannot be read: ENOENT"),
    ])
  },
)

test.each([
  "config.yml",
  "config.json",
  "Config.yaml",
  "config.yaml.txt",
  "configuration.yaml",
  "config.toml",
  "config",
])("nor beside a file that nobody reads because it is called otherwise: %s", async (name) => {
  world.put(`config/${name}`, "permissions: {deny: [Bash]}\n")
  const said = naming(`${name}:1:1: This file is not read: `, "`config.yaml`", "Rename it")
  expect(await world.cadre(...runWords())).toMatchObject({ code: 1, stderr: said })
  const { stdout, code } = await world.cadre("check")
  expect([code, stdout]).toEqual([1, expect.stringContaining("configuration-name")])
})

test.each([
  ["where there is no other", ""],
  ["nearer than the one that is read", "work/.cadre/config.yaml"],
])("a project's that is called otherwise is told of, and counts with its settings: %s", async (_, read) => {
  world.put("work/packages/a/.cadre/config.yml", "permissions: {deny: [Bash]}\n")
  if (read !== "") world.put(read, "mode: plan\n")
  const folder = path.join(world.work, "packages/a")
  const at = (...words: readonly string[]) => world.start(words, "closed", folder).ended
  const said = naming("This file is not read: ", "`config.yaml`")
  for (const command of ["check", "doctor"]) expect((await at(command)).stdout).toEqual(said)
  expect((await at(...runWords())).code).toBe(7)
  expect(await at(...runWords(), "--trust")).toMatchObject({ code: 1, stderr: said })
})

test("nor under a variable that is", async () => {
  world.environment.CADRE_SANDBOX = "requierd"
  expect((await world.json(...runWords())).result.error).toMatchObject({
    code: "CONFIGURATION_INVALID",
    message: refusal(
      '  CADRE_SANDBOX is "requierd".',
      "required, preferred or off",
      "(configuration-environment)\n",
    ),
  })
})

test("a run that began before does not go on, and goes on once it is mended", async () => {
  const { result } = await world.runWorker()
  world.put(own, typo)
  const resumed = await world.json("resume", result.id)
  expect(resumed.code).toBe(1)
  const { code, message } = resumed.result.error
  const error = { code, message }
  expect(error).toEqual({ code: "CONFIGURATION_INVALID", message: mistyped(path.join(world.base, own)) })
  expect(await world.json("approve", result.id, "--resume")).toMatchObject({ code: 1, result: { error } })
  expect(await world.json("resume", "--all")).toEqual({
    code: 1,
    result: { runs: [{ id: result.id, agent: "worker", state: error.message }] },
  })
  expect((await world.cadre("resume", "--all")).stdout).toBe(
    `${result.id}  worker  ${error.message.replaceAll(/\s+/g, " ")}\n`,
  )
  world.put(own, "mode: default\npermissions: {deny: [Bash]}\n")
  expect((await world.cadre("resume", result.id)).code).toBe(0)
})

test("a dry run tells it with everything else that is in the way", async () => {
  world.put(own, typo)
  world.agent("theirs", [], "work/.cadre/agents")
  const { code, result } = await world.json("run", "theirs", "Go.", "--dry-run", ...world.model)
  expect([code, result.starts, result.problems.map((problem: { code: string }) => problem.code)]).toEqual([
    1,
    false,
    ["CONFIGURATION_INVALID", "UNTRUSTED"],
  ])
})

test("what would come of a run is that it is refused, and where", async () => {
  world.put(own, typo)
  const { message } = (await world.json(...runWords())).result.error
  expect(message).toEqual(mistyped(path.join(world.base, own)))
  const lines: readonly string[] = message.split("\n")
  const indented = lines.join("\n  ")
  const told = [
    [
      ["explain", "worker", "--model", `script:${world.scriptFile}`],
      1,
      `It cannot run: ${lines.join("\n")}\n\n`,
    ],
    [["show", "worker"], 0, `--- nothing would be sent\n${lines.join("\n")}\n`],
    [[...runWords(), "--dry-run"], 1, `(exit code 1):\n- ${indented}\n\n`],
  ] as const
  for (const [words, code, said] of told)
    expect(await world.cadre(...words)).toMatchObject({ code, stdout: expect.stringContaining(said) })
})

test("nothing that is written in it begins a line of its own", async () => {
  world.put(own, '"a\\nb": 1\n')
  expect((await world.cadre(...runWords())).stderr).toContain("config.yaml:1:1: `a\\nb` is not a setting")
})

test("a project's counts once it is trusted, and cannot get in the way before", async () => {
  world.put(projects, typo)
  expect((await world.cadre(...runWords())).code).toBe(7)
  const message = mistyped(".cadre/config.yaml")
  expect(await world.json(...runWords(), "--trust")).toMatchObject({
    code: 1,
    result: { error: { message } },
  })
  await world.cadre("trust", "--yes")
  expect(await world.json(...runWords())).toMatchObject({ code: 1, result: { error: { message } } })
  await world.cadre("trust", "--revoke")
  expect((await world.cadre(...runWords())).code).toBe(7)
})

test("what is only told of, and read all the same, is in nobody's way", async () => {
  world.put(own, "subagents: {enabled: 'yes'}\n")
  expect((await world.cadre("check")).stdout).toContain("configuration-flag")
  expect((await world.cadre(...runWords())).code).toBe(7)
})
