import { execFileSync, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout as pauseFor } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { makeWorld, sandboxMissing, ways } from "../../../test/sandbox/kit.ts"
import type { McpProgram } from "../../agent/mcp-server.ts"
import { defaultMcpBounds } from "./bounds.ts"
import { openServer } from "./open-server.ts"
import { type ServerPlace, startProgram } from "./start-program.ts"

const server = path.resolve(import.meta.dirname, "../../../test/mcp/hostile-server.mjs")
const worker = fileURLToPath(new URL("../../../test/mcp/open-worker.ts", import.meta.url))

let world: ReturnType<typeof makeWorld>
beforeEach(() => {
  world = makeWorld()
  fs.writeFileSync(path.join(world.root, "notes.txt"), "of the workspace\n")
})
afterEach(() => world.remove())

const placeWith = (sandbox: ServerPlace["sandbox"]): ServerPlace => ({
  root: world.root,
  cwd: world.root,
  home: world.home,
  sandbox,
})

/** Finds processes by a word in their command line. */
const processesWith = (word: string): readonly string[] =>
  fs.readdirSync("/proc").filter((id) => {
    if (!/^[0-9]+$/.test(id)) return false
    try {
      return fs.readFileSync(`/proc/${id}/cmdline`, "utf8").includes(word)
    } catch {
      return false
    }
  })

async function untilGone(word: string): Promise<readonly string[]> {
  for (let round = 0; round < 200 && processesWith(word).length > 0; round++) await pauseFor(25)
  return processesWith(word)
}

/** A program behind a waiting shell, which ignores every signal but SIGKILL. */
const stubborn = (word: string): McpProgram => ({
  command: "/bin/sh",
  args: ["-c", `"$0" "$1" "ignores its end" old "$2"; echo over`, process.execPath, server, word],
  visible: [path.dirname(server)],
})

describe.each(ways)("with the sandbox %s", (sandbox) => {
  test("nothing of a server is left that ignores the end of its input and SIGTERM, behind a shell", async () => {
    const word = randomUUID()
    const connection = await openServer("stubborn", stubborn(word), placeWith(sandbox), defaultMcpBounds)
    expect(processesWith(word).length).toBeGreaterThan(1)
    await connection.close()
    expect(await untilGone(word)).toEqual([])
  })

  test("nothing of it is left when whoever started it is killed", async () => {
    const word = randomUUID()
    const given = JSON.stringify({ settings: stubborn(word), place: placeWith(sandbox) })
    const child = spawn(process.execPath, ["--import", "tsx", worker, given], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    await new Promise((resolve) => child.stdout.once("data", resolve))
    expect(processesWith(word).length).toBeGreaterThan(1)
    // Until the test has heard of its end, the process counts as alive.
    const exit = once(child, "exit")
    child.kill("SIGKILL")
    await exit
    expect(await untilGone(word)).toEqual([])
    // The next start removes the folder that the server worked in, once it is old.
    const [left, ...others] = scratchOf(child.pid!)
    expect(others).toEqual([])
    const before = new Date(Date.now() - 7_200_000)
    fs.utimesSync(left!, before, before)
    expect(await printed("echo on", {}, placeWith(sandbox))).toBe("on")
    expect([scratchOf(child.pid!), scratchOf(process.pid)]).toEqual([[], []])
  })

  test("a server has what its entry says of the environment, and no key besides", async () => {
    const place = { ...placeWith(sandbox), environment: { PATH: process.env.PATH, API_KEY: "k", LANG: "C" } }
    const shown = await printed(`env`, { env: { TOKEN: "t", CADRE_HOST: "x" } }, place)
    const lines = shown.split("\n").filter((line) => /^(?:API_KEY|TOKEN|LANG|CADRE_HOST)=/.test(line))
    expect(lines.map((line) => line.replace(/^(CADRE_HOST)=.{36}$/, "$1=ours")).sort()).toEqual([
      "CADRE_HOST=ours",
      "LANG=C",
      "TOKEN=t",
    ])
  })
})

/** The folders that servers of a process work in. */
const scratchOf = (host: number): readonly string[] =>
  fs
    .readdirSync(os.tmpdir())
    .filter((name) => name.startsWith(`cadre-mcp-${host}-`))
    .map((name) => path.join(os.tmpdir(), name))

const interfaces = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '"

/** The output of a program that is started like a server. */
async function printed(script: string, settings: Partial<McpProgram>, place: ServerPlace): Promise<string> {
  let text = ""
  const result = await startProgram(
    "shell",
    { command: "/bin/sh", args: ["-c", script], ...settings },
    place,
    {
      onStart: (input) => void input.end(),
      onOutput: (chunk) => {
        text += chunk.toString()
      },
      signal: new AbortController().signal,
      grace: 100,
    },
  )
  return "refused" in result ? `refused: ${result.refused}` : text.trim()
}

test("where rules deny a path, no server starts without the sandbox", async () => {
  const place: ServerPlace = {
    ...placeWith("preferred"),
    forbidden: [{ use: "read", pattern: "/etc/shadow" }],
  }
  expect(await printed("echo on", { sandbox: "off" }, place)).toMatch(/^refused.*\/etc\/shadow.*enforce/)
})

describe.skipIf(sandboxMissing !== undefined)(
  "in the sandbox a server has nothing that its entry does not say",
  () => {
    const reads = "cat notes.txt 2>&1 || cat $ROOT/notes.txt 2>&1 || echo none"
    const writes = "(echo x > $ROOT/made) 2>/dev/null && echo wrote || echo kept"

    test.each<[string, string, Partial<McpProgram>, RegExp]>([
      ["nothing of the workspace", reads, {}, /none$/],
      ["the workspace to read", `${reads}; ${writes}`, { workspace: "read" }, /^of the workspace\nkept$/],
      ["the workspace to write", `${reads}; ${writes}`, { workspace: "write" }, /^of the workspace\nwrote$/],
      [
        "and not what is protected in it",
        "(echo x > $ROOT/.git/hooks/pre-commit) 2>/dev/null && echo wrote || echo kept",
        { workspace: "write" },
        /^kept$/,
      ],
      ["nothing of the home folder", "cat ~/.ssh/id_rsa 2>/dev/null || echo none", {}, /^none$/],
      ["no network", interfaces, {}, /^lo$/],
      ["a folder of its own to work in", "pwd; (echo x > y) && cat y", {}, /cadre-mcp-.*\nx$/],
    ])("%s", async (_, script, settings, expected) => {
      const place = placeWith("required")
      expect(await printed(script, { ...settings, env: { ROOT: world.root } }, place)).toMatch(expected)
    })

    test("the network where the entry grants it", async () => {
      const own = execFileSync("/bin/sh", ["-c", interfaces], { encoding: "utf8" }).trim()
      expect(await printed(interfaces, { network: "full" }, placeWith("required"))).toBe(own)
    })

    test("a file that rules deny is not there", async () => {
      const forbidden = [{ use: "read", pattern: `${world.root}/notes.txt` }] as const
      const place = { ...placeWith("preferred"), forbidden }
      expect(await printed("cat notes.txt; echo end", { workspace: "read" }, place)).toBe("end")
    })

    test.each(["visible", "writable"] as const)("a file is no folder that could be %s", async (key) => {
      const file = path.join(world.root, "notes.txt")
      expect(await printed("echo on", { [key]: [file] }, placeWith("required"))).toMatch(
        new RegExp(`^refused: ${file} in its \`${key}\` is a file`),
      )
    })

    test("a folder of the workspace is no folder besides it", async () => {
      const settings = { workspace: "read", writable: [path.join(world.root, "sub")] } as const
      expect(await printed("echo on", settings, placeWith("required"))).toMatch(
        /^refused: .* is part of the workspace/,
      )
    })
  },
)
