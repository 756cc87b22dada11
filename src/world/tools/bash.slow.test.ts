import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { FunctionTool, ToolContext, ToolOutput } from "../../agent/tool.ts"
import { markerName } from "../sandbox/child-environment.ts"
import { findMarkedProcesses } from "../sandbox/processes.ts"
import { type BashToolOptions, createBashTool } from "./bash.ts"

let root = ""
beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-bash-")))
  fs.mkdirSync(path.join(root, "sub"))
  fs.symlinkSync("/etc", path.join(root, "leads-out"))
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const off: BashToolOptions = { sandbox: "off" }

async function call(
  input: object,
  options: BashToolOptions = off,
  signal?: AbortSignal,
  cwd = root,
): Promise<ToolOutput> {
  const tool = createBashTool(options) as FunctionTool
  const checked = await tool.validate(input)
  if ("problem" in checked) return { text: checked.problem, isError: true }
  const context = {
    run: "run",
    call: "1",
    key: `bash-test-${process.pid}:1`,
    cwd,
    agent: "a",
    depth: 0,
    seen: () => undefined,
  }
  const output = await tool.execute(checked.value, {
    ...context,
    signal: signal ?? new AbortController().signal,
  } as unknown as ToolContext)
  expect(findMarkedProcesses(markerName, context.key)).toEqual([])
  return output as ToolOutput
}

test("output, and as evidence the command and its exit code", async () => {
  expect(await call({ command: "echo hello; pwd" })).toEqual({
    text: `hello\n${root}\n[Ran without a sandbox: it was switched off.]`,
    evidence: { commands: [{ command: "echo hello; pwd", exitCode: 0 }] },
  })
})

test("another exit code is an error that says so", async () => {
  const { text, isError, evidence } = await call({ command: "echo bad; exit 3" })
  expect(text).toContain("bad\n[Exit code 3.")
  expect(isError).toBe(true)
  expect(evidence?.commands?.[0]?.exitCode).toBe(3)
})

test("81: of long output the beginning and the end, and how much is missing", async () => {
  const { text } = await call(
    { command: "echo first; seq 1000000; echo last" },
    { ...off, limits: { keptOutput: 2_000 } },
  )
  expect(text.length).toBeLessThan(2_300)
  expect(text).toMatch(/^first\n1\n[\s\S]*\n\[\d+ bytes were left out here\]\n[\s\S]*1000000\nlast\n\[Ran/)
})

test("84: a timeout is told", async () => {
  const { text, isError } = await call({ command: "echo begun; sleep 99", timeout: 300 })
  expect(text).toMatch(/^begun\n\[Killed: it took longer than 300 ms\./)
  expect(isError).toBe(true)
})

test("84: an abort ends a command that ignores being told", async () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 200)
  const { text } = await call(
    { command: "trap '' TERM; while :; do sleep 0.05; done" },
    off,
    controller.signal,
  )
  expect(text).toMatch(/^\[Killed/)
})

test.each(["..", "/", "/etc", "leads-out", "sub/../..", "missing"])(
  "165: a call cannot start in %s",
  async (cwd) => {
    expect(await call({ command: "echo ran", cwd })).toEqual({
      text: expect.stringMatching(/^Not run.*inside.*workspace/),
      isError: true,
    })
    const tool = createBashTool(off) as FunctionTool
    expect(await tool.accesses!({ command: "ls", cwd }, { cwd: root })).toEqual([
      { type: "unclear", reason: expect.stringContaining("not inside the workspace") },
    ])
  },
)

test("165: a call can start further inside, and is judged there", async () => {
  expect((await call({ command: "pwd", cwd: "sub" })).text).toContain(`${root}/sub\n`)
  const tool = createBashTool(off) as FunctionTool
  expect(await tool.accesses!({ command: "cat x", cwd: "sub" }, { cwd: root })).toContainEqual({
    type: "read",
    path: `${root}/sub/x`,
  })
})

test("165: a call cannot widen its time, its environment, its shell or its sandbox", async () => {
  const { text } = await call({ command: "sleep 99", timeout: 1e9 }, { ...off, longest: 300 })
  expect(text).toContain("[Killed: it took longer than 300 ms.")
  for (const more of [{ env: { LD_PRELOAD: "x" } }, { shell: "/bin/zsh" }, { sandbox: "off" }, { root: "/" }])
    expect((await call({ command: "echo ran", ...more })).isError).toBe(true)
})

test("207: keys of the host are not seen", async () => {
  const environment = {
    ...process.env,
    OPENAI_API_KEY: "sk-0123456789abcdef",
    LANG: "C.UTF-8",
    GRANTED: "yes",
  }
  const { text } = await call({ command: "env" }, { ...off, environment, grants: ["GRANTED"] })
  expect(text).not.toContain("OPENAI")
  expect(text).toContain("GRANTED=yes")
})

test("what cannot be handed to a shell is not run", async () => {
  const file = path.join(root, "ran")
  const output = await call({ command: `touch ${file}\0` }, off)
  expect(output).toMatchObject({ isError: true })
  expect(fs.existsSync(file)).toBe(false)
})

test("220: what a command prints reaches the model as it is", async () => {
  const { text } = await call({ command: "printf 'a\\033[31mb\\007\\r'" })
  expect(text).toContain("a\u001b[31mb\u0007\r")
})

test("a command starts where the run works, and is judged there", async () => {
  const options = { ...off, root }
  const sub = path.join(root, "sub")
  expect(await call({ command: "pwd" }, options, undefined, sub)).toMatchObject({
    text: expect.stringMatching(new RegExp(`^${sub}\\n`)),
  })
  const tool = createBashTool(options) as FunctionTool
  expect(await tool.accesses!({ command: "echo x > y" }, { cwd: sub })).toContainEqual({
    type: "write",
    path: path.join(sub, "y"),
  })
})

test.each([".bashrc", ".vscode/tasks.json", ".mcp.json", "sub/.git/hooks/x", ".env"])(
  "143, 144: a command that plainly writes %s is not run, also where that is not there yet",
  async (file) => {
    const { text, isError } = await call({ command: `echo x > ${file}` }, { ...off, root })
    expect([isError, /^Not run: .* is protected: /.test(text), fs.existsSync(path.join(root, file))]).toEqual(
      [true, true, false],
    )
  },
)

test.each([
  "git rm -f .env",
  "git checkout -- .vscode/tasks.json",
  "git mv x .bashrc",
  "unzip x.zip -d .claude",
])("143: a command that is there to change a protected file is not run: %s", async (command) => {
  expect(await call({ command }, { ...off, root })).toMatchObject({
    text: expect.stringMatching(/^Not run: .* is protected: /),
    isError: true,
  })
})

test("a program that nobody knows may be given a protected file", async () => {
  fs.writeFileSync(path.join(root, "show"), '#!/bin/sh\ncat "$2"\n', { mode: 0o755 })
  fs.writeFileSync(path.join(root, ".env"), "A=1\n")
  expect((await call({ command: "./show --env-file .env" }, { ...off, root })).text).toMatch(/^A=1\n/)
  fs.rmSync(path.join(root, ".env"))
})
