import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { findSandbox } from "../../src/world/sandbox/find-sandbox.ts"
import { CommandWorld } from "../run-command-kit.ts"

const isSandboxed = "path" in (await findSandbox())

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

type Call = readonly [tool: string, input: object]

/** What calls came to that an agent of the user makes, one a turn. */
async function outcomes(calls: readonly Call[], ...words: readonly string[]): Promise<readonly string[]> {
  world.agent("worker")
  world.script({
    worker: [...calls.map(([tool, input]) => ({ calls: [{ tool, input }] })), { text: "Done." }],
  })
  const { result } = await world.json("run", "worker", "Go.", ...words, ...world.model)
  return world.results(result.id)
}

const deny = (...rules: readonly string[]) =>
  world.put("config/config.yaml", `permissions: {deny: ${JSON.stringify(rules)}}\n`)

const denied = (count: number) => Array.from({ length: count }, () => expect.stringMatching(/^Not permitted/))

describe("a rule that denies holds", () => {
  test("whatever links lead to the working directory, the home folder or the path it names", async () => {
    deny("Read(priv/**)", "Read(./alias/**)", "Read(~/kept/**)")
    world.put("work/priv/a.txt", "private")
    world.put("work/real/b.txt", "behind a link")
    symlinkSync("real", path.join(world.work, "alias"))
    symlinkSync(world.work, path.join(world.base, "link"))
    world.put("home/kept/key", "a key")
    renameSync(path.join(world.base, "home"), path.join(world.base, "disk"))
    symlinkSync("disk", path.join(world.base, "home"))
    const calls: readonly Call[] = [
      ["Read", { path: "priv/a.txt" }],
      ["Read", { path: "alias/b.txt" }],
      ["Bash", { command: "cat ~/kept/key" }],
    ]
    expect(await outcomes(calls, "--mode", "bypass", "--cwd", path.join(world.base, "link"))).toEqual(
      denied(3),
    )
  })

  test("from every folder of the workspace", async () => {
    deny("Read(priv/**)")
    world.put("work/priv/a.txt", "private")
    mkdirSync(path.join(world.work, "docs"))
    const calls: readonly Call[] = [["Read", { path: "../priv/a.txt" }]]
    expect(await outcomes(calls, "--mode", "bypass", "--cwd", path.join(world.work, "docs"))).toEqual(
      denied(1),
    )
  })

  test("by the names that other hosts have for a tool", async () => {
    deny("run_shell_command", "ApplyPatch(src/**)")
    const patch = "*** Begin Patch\n*** Add File: src/a\n+x\n*** End Patch"
    const calls: readonly Call[] = [
      ["Bash", { command: "ls" }],
      ["ApplyPatch", { patch }],
      ["Write", { path: "src/b", content: "x" }],
    ]
    expect(await outcomes(calls, "--mode", "bypass")).toEqual(denied(3))
  })
})

test.each([
  [["Read(secret/**)"], 7],
  [["Read(~/.ssh/**)"], 0],
])(
  "a command that shows all of a repository asks where something denied lies in it: %j",
  async (rules, code) => {
    const permissions = { allow: ["Bash(git:*)"], deny: rules }
    world.put("config/config.yaml", `permissions: ${JSON.stringify(permissions)}\n`)
    world.agent("worker")
    world.script({
      worker: [{ calls: [{ tool: "Bash", input: { command: "git diff HEAD" } }] }, { text: "Done." }],
    })
    expect((await world.cadre("run", "worker", "Go.", ...world.model)).code).toBe(code)
  },
)

test("cadre's own configuration is not written through a link to the workspace", async () => {
  symlinkSync(world.work, path.join(world.base, "link"))
  world.environment.CADRE_CONFIG_DIR = path.join(world.base, "link", "own")
  world.agent("worker", [], "work/own/agents")
  const calls: readonly Call[] = [["Write", { path: "own/config.yaml", content: "mode: bypass\n" }]]
  expect(await outcomes(calls, "--mode", "bypass")).toEqual([expect.stringContaining("is protected")])
})

test.skipIf(!isSandboxed)("a command in the sandbox cannot change .env, however it does it", async () => {
  world.put("work/.env", "A=1\n")
  world.put("work/change.sh", "echo B=2 > .env\n")
  const calls: readonly Call[] = [["Bash", { command: "sh change.sh" }]]
  expect(await outcomes(calls, "--mode", "bypass", "--sandbox", "required")).toEqual([
    expect.stringContaining("Read-only file system"),
  ])
  expect(readFileSync(path.join(world.work, ".env"), "utf8")).toBe("A=1\n")
})

describe("in bypass, a command that nobody can tell anything of", () => {
  beforeEach(() => {
    deny("Read(priv/**)", "Edit(src/**)")
    for (const file of ["priv/a", "src/a", "free"]) world.put(`work/${file}`, "before\n")
    world.put(
      "work/sub/any.sh",
      "cd ..; cat priv/a; for file in src/a src/b free .claude/x; do echo after > $file; done",
    )
    world.calling({ tool: "Bash", input: { command: "sh ./any.sh" } })
  })
  const text = (file: string) => readFileSync(path.join(world.work, file), "utf8")
  const runIn = (...words: readonly string[]) =>
    world.runWorker("--mode", "bypass", "--cwd", path.join(world.work, "sub"), ...words)

  test.skipIf(!isSandboxed)(
    "keeps to the rules about files in the sandbox, and to what is protected",
    async () => {
      const { code, result } = await runIn("--sandbox", "required")
      expect([code, (await world.results(result.id))[0]]).toEqual([0, expect.not.stringContaining("before")])
      expect(["priv/a", "src/a", "free"].map(text)).toEqual(["before\n", "before\n", "after\n"])
      expect(readdirSync(path.join(world.work, "src"))).toEqual(["a"])
      expect(readdirSync(world.work).sort()).toEqual([".git", "free", "priv", "src", "sub"])
    },
  )

  test("asks without a sandbox, unless a rule allows it by its name", async () => {
    const { code, result } = await runIn("--sandbox", "off")
    expect([code, result.approvals[0]?.about, text("free")]).toEqual([7, "sh ./any.sh", "before\n"])
    world.put(
      "config/config.yaml",
      `permissions: ${JSON.stringify({ allow: ["Bash(sh ./any.sh)"], deny: ["Read(priv/**)"] })}\n`,
    )
    expect((await runIn("--sandbox", "off")).code).toBe(0)
    expect(text("free")).toBe("after\n")
  })
})

test.skipIf(!isSandboxed)(
  "a command in the sandbox sees no key and no log of cadre's, wherever they are kept",
  async () => {
    // What the sandbox does not hide anyhow.
    const built = path.join(import.meta.dirname, "../..", "node_modules", ".vite")
    mkdirSync(built, { recursive: true })
    const own = mkdtempSync(path.join(built, "own-"))
    try {
      world.environment.CADRE_STATE_DIR = path.join(own, "state")
      world.environment.CADRE_CONFIG_DIR = path.join(own, "config")
      mkdirSync(path.join(own, "config", "keys"), { recursive: true })
      writeFileSync(path.join(own, "config", "keys", "groq"), "a key")
      world.agent("worker", [], path.relative(world.base, path.join(own, "config/agents")))
      const calls: readonly Call[] = [["Bash", { command: `find ${own} -type f 2>/dev/null; echo looked` }]]
      expect(await outcomes(calls, "--mode", "bypass", "--sandbox", "required")).toEqual(["looked"])
    } finally {
      rmSync(own, { recursive: true })
    }
  },
)

test("a file's name says nothing to the terminal when its agent is shown", async () => {
  world.put("work/.claude/agents/e\u001b[2J.md", "---\nname: evil\ndescription: Is.\n---\nx\n")
  expect((await world.cadre("show", "evil")).stdout).toContain("agents/e\\u{1b}[2J.md, sha256")
})
