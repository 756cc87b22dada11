import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findServerScripts, readServerScript } from "./scripts.ts"
import { readServerFiles } from "./server-files.ts"
import { describeServer } from "./server-text.ts"

let base: string
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-server-files-")))
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

function put(file: string, value: unknown): void {
  fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
  fs.writeFileSync(path.join(base, file), typeof value === "string" ? value : JSON.stringify(value))
}

const read = (levels = ["work"]) =>
  readServerFiles({ levels: levels.map((one) => path.join(base, one)), home: path.join(base, "home") }).map(
    ({ file, servers, disabled, off, invalid, diagnostics }) => ({
      file: path.relative(base, file),
      servers: Object.keys(servers),
      invalid: Object.keys(invalid),
      disabled,
      off,
      codes: diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    }),
  )

const empty = { servers: [], invalid: [], disabled: [], off: [], codes: [] }

test("the nearest folder comes first, and of the home only what switches servers off", () => {
  put("work/deep/.mcp.json", { mcpServers: { near: { command: "x" } } })
  put("work/.mcp.json", {
    mcpServers: { far: { url: "https://x.example" }, off: { command: "x", disabled: true } },
  })
  put("work/.claude/settings.json", {
    mcpServers: { also: { command: "x" } },
    enableAllProjectMcpServers: true,
  })
  put("home/.claude/settings.json", {
    mcpServers: { mine: { command: "x" } },
    disabledMcpjsonServers: ["near"],
  })
  put("home/.mcp.json", { mcpServers: { never: { command: "x" } } })
  expect(read(["work/deep", "work"])).toEqual([
    { ...empty, file: "work/deep/.mcp.json", servers: ["near"] },
    { ...empty, file: "work/.mcp.json", servers: ["far"], off: ["off"] },
    { ...empty, file: "work/.claude/settings.json", servers: ["also"], codes: ["info mcp-server-approval"] },
    { ...empty, file: "home/.claude/settings.json", disabled: ["near"] },
  ])
})

test.each<[string, unknown, readonly string[]]>([
  ["no JSON", "{", ["error mcp-server-invalid"]],
  ["a list", [], ["error mcp-server-invalid"]],
  ["no servers", {}, ["error mcp-server-invalid"]],
  ["servers in a list", { mcpServers: [] }, ["error mcp-server-invalid"]],
  ["a wrong entry", { mcpServers: { a: { command: 1 } } }, ["error mcp-server-invalid"]],
  [
    "a secret",
    { mcpServers: { a: { command: "x", env: { API_KEY: "correct-horse" } } } },
    ["error mcp-server-secret"],
  ],
])("a file with %s names nothing, and says so", (_, value, codes) => {
  put("work/.mcp.json", value)
  const [file] = read()
  expect([file!.servers, file!.codes]).toEqual([[], codes])
})

test("a file that leads out of the project is not read", () => {
  put("outside.json", { mcpServers: { a: { command: "x" } } })
  fs.mkdirSync(path.join(base, "work"))
  fs.symlinkSync(path.join(base, "outside.json"), path.join(base, "work/.mcp.json"))
  expect(read()).toEqual([{ ...empty, file: "work/.mcp.json", codes: ["error link-outside"] }])
})

test("a list of disabled names that is no list switches all off", () => {
  put("work/.claude/settings.local.json", { disabledMcpjsonServers: true })
  expect(read()).toEqual([{ ...empty, file: "work/.claude/settings.local.json", disabled: ["*"] }])
})

test("the scripts of an entry are the files of the project that it names", () => {
  put("work/bin/srv", "#!/bin/sh\n")
  put("work/a.mjs", "a")
  put("outside.mjs", "b")
  const folder = path.join(base, "work")
  const settings = {
    command: "./bin/srv",
    args: ["a.mjs", "--import=./a.mjs", "../outside.mjs", "gone.mjs", "-y"],
  }
  const scripts = findServerScripts(settings, { folder, root: folder })
  expect(scripts.map((file) => path.relative(folder, file))).toEqual(["bin/srv", "a.mjs"])
  expect(readServerScript(path.join(folder, "a.mjs"), folder)).toMatchObject({ text: "a" })
  expect(readServerScript(path.join(base, "outside.mjs"), folder)).toBeUndefined()
  expect(readServerScript(folder, folder)).toBeUndefined()
})

test("a person is shown all that an entry starts and gives", () => {
  const token = ["$", "{TOKEN}"].join("")
  expect([
    describeServer("a", {
      command: "npx",
      args: ["-y", "x y"],
      env: { LOG: "all", TOKEN: token },
      network: "full",
      visible: ["/v"],
      writable: ["/w"],
    }),
    describeServer("b", {
      url: "https://x.example/mcp",
      headers: { Authorization: `Bearer ${token}` },
      tools: ["do"],
    }),
  ]).toEqual([
    `starts the MCP server a: "npx" "-y" "x y"; network full; workspace none; may read /v; may write /w; variables LOG="all" TOKEN="${token}"`,
    `connects to the MCP server b at https://x.example/mcp; headers Authorization="Bearer ${token}"; only its tools do`,
  ])
})
