import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { ProcessInput } from "./process.ts"
import { runCommand } from "./run-command.ts"
import { runProcess, type ShellLimits } from "./run-process.ts"
import { runBoundedProgram } from "./run-program.ts"

/** Nothing runs with this: a sandbox is required, and there is none. */
const input: ProcessInput = {
  cwd: "/",
  environment: {},
  bounds: { root: "/work", home: "/home/me", network: "none" },
  sandbox: "required",
  availableSandbox: { problem: "it is a test" },
  timeout: 1_000,
}
const required = { refused: naming("sandbox", "required", "it is a test", "preferred") }

describe("a program does not run", () => {
  test.each<[string, readonly string[], object]>([
    ["where a sandbox is required and missing", ["/bin/true", "x".repeat(120_000)], required],
    [
      "with an argument that is too long",
      ["/bin/true", "x".repeat(120_001)],
      { refused: naming("120001", "120,000") },
    ],
    ["with a long argument in many bytes", ["/bin/true", "é".repeat(60_001)], { refused: naming("120002") }],
    ["with a NUL", ["/bin/true", "a\0b"], { refused: naming("NUL") }],
  ])("%s", async (_, words, expected) => {
    expect(await runBoundedProgram({ ...input, words })).toEqual(expected)
  })
})

describe("a command does not run", () => {
  test.each<[string, string, object]>([
    ["where a sandbox is required and missing", `: ${"x".repeat(119_998)}`, required],
    ["that is too long", "x".repeat(120_001), { refused: naming("120,000", "file") }],
    ["that is too long in bytes", "é".repeat(60_001), { refused: naming("120,000") }],
    ["with a NUL", "echo a\0b", { refused: naming("NUL") }],
  ])("%s", async (_, command, expected) => {
    expect(await runCommand({ ...input, command })).toEqual(expected)
  })

  test("while its run is stopping", async () => {
    expect(await runCommand({ ...input, sandbox: "off", command: ":", signal: AbortSignal.abort() })).toEqual(
      {
        refused: naming("stopping"),
      },
    )
  })
})

describe("the limits of a process", () => {
  const limitsOf = async (more: Partial<ProcessInput>): Promise<ShellLimits> => {
    let seen: ShellLimits | undefined
    const stopped = runProcess({ ...input, ...more }, (limits) => {
      seen = limits
      throw new Error("enough")
    })
    await expect(stopped).rejects.toThrow("enough")
    return seen!
  }
  test.each<[Partial<ProcessInput>, ShellLimits]>([
    [{ availableSandbox: { path: "/bwrap" } }, { fileSize: 2 ** 30, processes: 512 }],
    [{ sandbox: "off" }, { fileSize: 2 ** 30 }],
    [{ sandbox: "preferred" }, { fileSize: 2 ** 30 }],
    [
      { availableSandbox: { path: "/bwrap" }, limits: { fileSize: 7, processes: 8 } },
      { fileSize: 7, processes: 8 },
    ],
  ])("with %j are %j", async (more, expected) => expect(await limitsOf(more)).toEqual(expected))
})
