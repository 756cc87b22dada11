import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, test } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import { version } from "../../src/ground/version.ts"
import { naming } from "../naming.ts"

const root = path.resolve(import.meta.dirname, "../..")
const built = path.join(root, "dist", "cli.mjs")

const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: os.tmpdir(),
  NODE_NO_WARNINGS: "1",
}

function cadre(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built, ...words], {
    encoding: "utf8",
    env: environment,
  })
  return { status, stdout, stderr }
}

test("the version is the one of the package", () => {
  expect(version).toBe(manifest.version)
  expect(cadre("--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" })
})

test("asking for the version loads nothing but what it needs", () => {
  const imports = [...fs.readFileSync(built, "utf8").matchAll(/^import .*"\.\/([\w-]+?)-[\w-]{8}\.mjs";$/gm)]
  expect(imports.map(([, name]) => name).sort(), "Import it in src/faces/cli/start.ts or later.").toEqual([
    "node-version",
    "version",
  ])
})

test("the built command answers", () => {
  expect(cadre("help")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ {2}completion {2}/m) })
  expect(cadre("completoin")).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^cadre: Unknown command "completoin"\. Did you mean "completion"\? Known: /,
    ),
  })
})

test("its completion works in bash", () => {
  const program = `
source <(${JSON.stringify(process.execPath)} ${JSON.stringify(built)} completion bash)
COMP_WORDS=(cadre completion '')
COMP_CWORD=2
_cadre
echo "\${COMPREPLY[@]}"
complete -p cadre`
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", program], {
    encoding: "utf8",
    env: environment,
  })
  expect({ stdout, stderr }).toEqual({
    stdout: naming("bash zsh fish\ncomplete ", "-F _cadre cadre\n"),
    stderr: "",
  })
})

describe.skipIf(process.platform === "win32")("as a program", () => {
  test("it can be started by its path", () => {
    const { status, stdout } = spawnSync(built, ["--version"], { encoding: "utf8" })
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` })
  })

  test.each([["--version"], ["--help"], ["completion", "bash"]])(
    "nobody who reads %s is no failure",
    async (...words) => {
      const child = spawn(process.execPath, [built, ...words], {
        stdio: ["ignore", "pipe", "pipe"],
        env: environment,
      })
      child.stdout.destroy()
      let stderr = ""
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
      const status = await new Promise((resolve) => child.on("close", resolve))
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    },
  )
})

test("an old Node is told so", () => {
  const pretend = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.18.9' })"
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", pretend, built, "--version"], {
    encoding: "utf8",
    env: environment,
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" })
  expect(stderr).toMatch(/needs Node 20\.19 or newer/)
})
