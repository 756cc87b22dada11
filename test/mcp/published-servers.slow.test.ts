/** Servers that nobody here wrote and that are no dependency of the tests: they are installed from npm at first use. */
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { setTimeout as pauseFor } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { McpProgram } from "../../src/agent/mcp-server.ts"
import type { McpToolbox } from "../../src/assembly/embed/mcp-toolbox.ts"
import { mcpTools } from "../../src/assembly/embed/mcp-tools.ts"
import type { JsonMap } from "../../src/ground/message.ts"
import { defaultMcpBounds } from "../../src/world/mcp/bounds.ts"
import { openServer } from "../../src/world/mcp/open-server.ts"
import { temporaryFolder } from "../file-kit.ts"
import { ways } from "../sandbox/kit.ts"
import { type PublishedServer, publishedServer } from "./published-server.ts"

const git = publishedServer("@cyanheads/git-mcp-server", "2.15.3")
const context7 = publishedServer("@upstash/context7-mcp", "4.1.1")
const everything = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"))
const folder = temporaryFolder({})

/** Asks npm for a package. Where it cannot be reached, the tests say that they are skipped. */
function canReach(what: string): boolean {
  try {
    execFileSync("npm", ["view", what, "version"], { stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 })
    return true
  } catch (error) {
    if (process.env.CADRE_REQUIRE_MATERIAL !== undefined) throw error
    console.warn(`SKIPPED: npm cannot be asked for ${what}: ${(error as Error).message}`)
    return false
  }
}

const startWith = ({ program, folder }: PublishedServer, more: Partial<McpProgram> = {}): McpProgram => ({
  command: process.execPath,
  args: [program],
  visible: [folder],
  ...more,
})

/** The text of an answer without its mark, after "error: " where it is one. */
async function call({ tools }: McpToolbox, name: string, input: JsonMap): Promise<string> {
  const { text, isError } = await tools.find((tool) => tool.name === name)!.call(input)
  const body = text.startsWith("[Answer of the MCP server") ? text.slice(text.indexOf("\n") + 1) : text
  return `${isError ? "error: " : ""}${body}`
}

describe.skipIf(!git)("@cyanheads/git-mcp-server", () => {
  const repository = path.join(folder, "repository")
  const remote = path.join(folder, "remote.git")
  const write = (file: string, text: string) => () => fs.writeFileSync(path.join(repository, file), text)
  let toolbox: McpToolbox
  beforeAll(async () => {
    fs.mkdirSync(repository)
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", remote])
    const person = ["AUTHOR", "COMMITTER"].flatMap((role) => [
      [`GIT_${role}_NAME`, "Ada"],
      [`GIT_${role}_EMAIL`, "ada@example.com"],
    ])
    const env = { ...Object.fromEntries(person), GIT_CONFIG_GLOBAL: "/dev/null", GIT_SIGN_COMMITS: "false" }
    toolbox = await mcpTools("git", startWith(git!, { env, writable: [folder] }), { cwd: folder })
  })
  afterAll(() => toolbox.close())

  /** In this order: a tool, its arguments, a part of its answer, and what happens in the repository before. */
  const calls: readonly (readonly [string, JsonMap, RegExp, (() => void)?])[] = [
    ["git_init", { path: repository, initialBranch: "main" }, /"initialBranch": "main"/],
    ["git_set_working_dir", { path: repository }, /"success": true/],
    ["git_remote", { mode: "add", name: "origin", url: `file://${remote}` }, /"name": "origin"/],
    ["git_status", {}, /"untrackedFiles": \[\s+"note.txt"/, write("note.txt", "one\n")],
    ["git_add", { paths: ["note.txt"] }, /"stagedFiles": \[\s+"note.txt"/],
    ["git_commit", { message: "First" }, /"message": "First"/],
    ["git_diff", {}, /\+two/, write("note.txt", "one\ntwo\n")],
    ["git_stash", { mode: "push" }, /"created": "stash@\{0\}"/],
    ["git_log", {}, /"subject": "First"/],
    ["git_show", { object: "HEAD" }, /Ada <ada@example.com>/],
    ["git_blame", { filePath: "note.txt" }, /"lineNumber": 1/],
    ["git_branch", { mode: "create", branchName: "side" }, /'side' created/],
    ["git_checkout", { target: "side" }, /"target": "side"/],
    [
      "git_commit",
      { message: "Second", filesToStage: ["side.txt"] },
      /"message": "Second"/,
      write("side.txt", "side\n"),
    ],
    ["git_checkout", { target: "main" }, /"target": "main"/],
    ["git_cherry_pick", { commits: ["side"] }, /"success": true/],
    ["git_rebase", { upstream: "side" }, /"success": true/],
    ["git_merge", { branch: "side" }, /"success": true/],
    ["git_tag", { mode: "create", tagName: "v1", message: "The first" }, /"created": "v1"/],
    ["git_push", { remote: "origin", branch: "main", tags: true }, /"pushedRefs": \[\s+"main"/],
    ["git_fetch", { remote: "origin" }, /"success": true/],
    ["git_pull", { remote: "origin", branch: "main" }, /"success": true/],
    ["git_reflog", {}, /HEAD@\{0\}/],
    ["git_reset", { mode: "soft", target: "HEAD" }, /"mode": "soft"/],
    ["git_clean", { dryRun: true, force: true }, /"stray.txt"/, write("stray.txt", "")],
    ["git_worktree", { mode: "list" }, /"worktrees": \[/],
    ["git_clone", { url: `file://${remote}`, path: path.join(folder, "clone") }, /"success": true/],
    ["git_changelog_analyze", { reviewTypes: ["features"] }, /"totalCommitsFetched": 2/],
    ["git_wrapup_instructions", { acknowledgement: "Y" }, /Git Wrap-up/],
    ["git_clear_working_dir", { confirm: "Y" }, /"success": true/],
  ]
  const readers = ["list_resources", "list_resource_templates", "read_resource", "list_prompts", "get_prompt"]

  test("has 28 tools, and resources and prompts, and none of them is left out", () => {
    const names = [...new Set(calls.map(([name]) => name)), ...readers].map((name) => `mcp__git__${name}`)
    expect(toolbox.tools.map(({ name }) => name).sort()).toEqual(names.sort())
    expect([names.length, toolbox.leftOut]).toEqual([33, []])
    expect(JSON.stringify(toolbox.tools.map(({ input }) => input)).length).toBeGreaterThan(25_000)
  })

  test("answers every one of them, in a repository of its own", async () => {
    for (const [name, input, expected, before] of calls) {
      before?.()
      const answer = await call(toolbox, `mcp__git__${name}`, input)
      expect([name, answer]).toEqual([name, expect.stringMatching(expected)])
      expect([name, answer.startsWith("error: ")]).toEqual([name, false])
    }
    expect(fs.readFileSync(path.join(folder, "clone/side.txt"), "utf8")).toBe("side\n")
  })

  test("refuses what the model gets wrong, in its own words", async () => {
    expect(await call(toolbox, "mcp__git__git_show", { object: "no-such-thing" })).toMatch(/^error: /)
    expect(await call(toolbox, "mcp__git__git_blame", {})).toMatch(/^error: .*filePath/)
  })
})

describe.skipIf(!context7)("@upstash/context7-mcp", () => {
  test("speaks the protocol of 2026-07-28, and is listed whole", async () => {
    const place = { root: folder, cwd: folder, sandbox: "preferred" } as const
    const connection = await openServer("context7", startWith(context7!), place, defaultMcpBounds)
    const { about, offers } = connection
    await connection.close()
    expect({ about, offers }).toEqual({
      about: { name: "Context7", version: "4.1.1", protocol: "2026-07-28" },
      offers: { tools: true, resources: true, prompts: true },
    })
  })

  test("answers both of its tools, without the network that they need", async () => {
    const toolbox = await mcpTools("c7", startWith(context7!), { cwd: folder, sandbox: "preferred" })
    try {
      expect(toolbox.tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["mcp__c7__resolve-library-id", "mcp__c7__query-docs"]),
      )
      expect(toolbox.leftOut).toEqual([])
      const asked = [
        await call(toolbox, "mcp__c7__resolve-library-id", { libraryName: "cadre", query: "cadre" }),
        await call(toolbox, "mcp__c7__query-docs", { libraryId: "/a/b", query: "cadre" }),
      ]
      for (const answer of asked)
        expect(answer).not.toMatch(/^(?:error: )?(?:Invalid arguments|The MCP server)/)
    } finally {
      await toolbox.close()
    }
  })
})

const memory = "@modelcontextprotocol/server-memory@2026.8.31"
const isReachable = canReach(memory)

describe.each(ways)("npx with the network, and the sandbox %s,", (sandbox) => {
  test.skipIf(!isReachable)("fetches a server and starts it", async () => {
    const toolbox = await mcpTools(
      "memory",
      { command: "npx", args: ["-y", memory], network: "full", startTimeout: 300_000 },
      { cwd: folder, sandbox },
    )
    try {
      expect(toolbox.tools.map(({ name }) => name)).toContain("mcp__memory__read_graph")
      expect(await call(toolbox, "mcp__memory__read_graph", {})).toContain("entities")
    } finally {
      await toolbox.close()
    }
  })
})

describe.each(ways)("server-everything behind a shell, with the sandbox %s,", (sandbox) => {
  test("is gone with the shell, which ignores the end of its input and SIGTERM", async () => {
    const word = randomUUID()
    const program = path.join(path.dirname(everything), "dist/index.js")
    const toolbox = await mcpTools(
      "srv",
      {
        command: "/bin/sh",
        args: ["-c", `trap "" TERM; "$0" "$1"; sleep 3600 # ${word}`, process.execPath, program],
        visible: [everything.replace(/(\/node_modules)\/.*$/, "$1")],
      },
      { cwd: folder, sandbox },
    )
    expect(await call(toolbox, "mcp__srv__echo", { message: word })).toBe(`Echo: ${word}`)
    expect(processesWith(word).length).toBeGreaterThan(0)
    await toolbox.close()
    for (let round = 0; round < 200 && processesWith(word).length > 0; round++) await pauseFor(25)
    expect(processesWith(word)).toEqual([])
  })
})

/** Processes with a word in their command line. */
const processesWith = (word: string): readonly string[] =>
  fs.readdirSync("/proc").filter((id) => {
    if (!/^[0-9]+$/.test(id)) return false
    try {
      return fs.readFileSync(`/proc/${id}/cmdline`, "utf8").includes(word)
    } catch {
      return false
    }
  })
