import path from "node:path"
import { expect, test } from "vitest"
import { dispatch } from "../../src/faces/cli/dispatch.ts"
import { temporaryFolder } from "../file-kit.ts"

const secrets = ["correct-horse-battery", "staple-of-the-stable", "another-long-word"]

/** Every entry has a secret: two that are reported as such, and one whose other mistake is reported first. */
const files = {
  "config/config.yaml": "",
  "home/x": "",
  "work/.git/HEAD": "",
  "work/.mcp.json": JSON.stringify({
    mcpServers: {
      db: { command: "node", args: ["server.mjs", `--token=${secrets[0]}`] },
      docs: { url: `htps://docs.test/?token=${secrets[1]}` },
      odd: { command: "node", oddity: 1, env: { API_KEY: secrets[0] } },
    },
  }),
  "work/.claude/agents/one.md": `---\nname: one\ndescription: Works.\nmcpServers:\n  - db: {command: node, env: {PASSWORD: ${secrets[2]}}}\n---\nWork.\n`,
}

function cadre(root: string) {
  return async (...words: string[]) => {
    let output = ""
    const write = (text: string) => (output += text)
    const code = await dispatch(words, {
      stdout: { write },
      stderr: { write },
      directory: path.join(root, "work"),
      environment: {
        HOME: path.join(root, "home"),
        CADRE_CONFIG_DIR: path.join(root, "config"),
        CADRE_STATE_DIR: path.join(root, "state"),
        PATH: process.env.PATH!,
      },
      isTerminal: false,
      colour: "off",
    } as Parameters<typeof dispatch>[1])
    return { code, output }
  }
}

test.each(["text", "json", "sarif", "github"])("no secret is printed as %s", async (format) => {
  const { code, output } = await cadre(temporaryFolder(files))("check", "--format", format)
  expect([code, output.includes("mcp-server-secret"), secrets.filter((one) => output.includes(one))]).toEqual(
    [1, true, []],
  )
})

test("no secret is printed with the definition that has it", async () => {
  const { output } = await cadre(temporaryFolder(files))("show", "one")
  expect([output.includes("mcp-server-secret"), secrets.filter((one) => output.includes(one))]).toEqual([
    true,
    [],
  ])
})

test("a file of servers that is named alone is checked, and not called skipped", async () => {
  const run = cadre(temporaryFolder(files))
  const { code, output } = await run("check", ".mcp.json", "--json")
  const { files: checked, diagnostics } = JSON.parse(output)
  expect(code).toBe(1)
  expect(checked).toEqual([{ file: ".mcp.json", format: "mcp-servers", agent: null, repaired: false }])
  expect(diagnostics.map(({ code }: { code: string }) => code).sort()).toEqual([
    "mcp-server-invalid",
    "mcp-server-invalid",
    "mcp-server-secret",
  ])
})
