import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { FunctionTool, ToolContext, ToolOutput } from "../../src/agent/tool.ts"
import { type BashToolOptions, createBashTool } from "../../src/world/tools/bash.ts"
import { contents } from "../file-kit.ts"
import { makeWorld, sandboxMissing } from "./kit.ts"

let world: ReturnType<typeof makeWorld>
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => world.remove())

/** What Bash makes of a command that nobody can tell beforehand what it writes. */
async function bash(command: string, options: BashToolOptions, cwd = options.root!): Promise<string> {
  const tool = createBashTool({ sandbox: "required", home: world.home, ...options }) as FunctionTool
  const context = { cwd, key: "protected:1", signal: new AbortController().signal } as unknown as ToolContext
  return ((await tool.execute({ command, timeout: 60_000 }, context)) as ToolOutput).text
}

/** Tries to write each of these files, by names that show only when it runs. */
const writing = (names: readonly string[]) =>
  `for place in $(echo ${names.join(" ")}); do mkdir -p "$(dirname $place)"; echo evil >> $place; done 2>/dev/null; echo ended`

const madeIn = (folder: string): readonly string[] =>
  Object.entries(contents(folder)).flatMap(([name, text]) => (text.includes("evil") ? [name] : []))

const profiles =
  `.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .kshrc .cshrc .tcshrc
  .login .inputrc .xprofile .xsessionrc .pam_environment .config/fish/config.fish .config/fish/conf.d/x.fish
  .config/autostart/x.desktop .config/git/config .gitconfig .ssh/authorized_keys .ssh/rc`.split(/\s+/)
const definitions =
  `.cadre/agents/x.md .cadre/config.yaml .claude/agents/x.md .claude/settings.json .claude-plugin/plugin.json
  .codex/agents/x.md .acai/subagents/x.md .gobby/agents/x.yaml .gemini/settings.json .cursor/mcp.json .opencode/agent/x.md
  .git/hooks/pre-commit .git/config`.split(/\s+/)
const settings = [".vscode/tasks.json", ".idea/x.xml", ".husky/pre-commit", ".mcp.json", ".npmrc"]

describe.skipIf(sandboxMissing)(
  "143, 144: what is protected and not there cannot be made by a command in the sandbox",
  () => {
    test("at the top of a workspace: definitions, and settings that name commands", async () => {
      fs.rmSync(path.join(world.root, ".git"), { recursive: true })
      const text = await bash(writing([...definitions, ...settings, "a/ordinary"]), { root: world.root })
      expect([text, madeIn(world.root)]).toEqual(["ended", ["a/ordinary"]])
      // And nothing stays of what stood for them.
      expect(fs.readdirSync(world.root).sort()).toEqual(["a", "sub"])
    })

    test("further down: definitions from where the run works up to the top", async () => {
      const cwd = path.join(world.root, "sub/inner")
      fs.mkdirSync(cwd)
      const names = definitions.flatMap((name) => [name, `../${name}`, `../../${name}`])
      await bash(writing([...names, "ordinary"]), { root: world.root }, cwd)
      expect(madeIn(world.root)).toEqual(["sub/inner/ordinary"])
      expect(fs.readdirSync(path.join(world.root, "sub"))).toEqual(["inner"])
    })

    test("in a workspace that is the home folder: shell profiles, keys and the person's definitions", async () => {
      await bash(writing([...profiles, ...definitions, ...settings, "notes/ordinary"]), { root: world.home })
      expect(madeIn(world.home)).toEqual(["notes/ordinary"])
      expect(fs.readdirSync(world.home).sort()).toEqual([".bashrc", ".ssh", "notes"])
    })

    test("in a workspace that the home folder lies in", async () => {
      const names = [...profiles, ...definitions].map((name) => `home/${name}`)
      await bash(writing([...names, "home/notes", "notes"]), { root: world.folder })
      expect(madeIn(world.folder)).toEqual(["home/notes", "notes"])
    })

    test("in a workspace below the home folder, which is hidden", async () => {
      const root = path.join(world.home, "project")
      fs.mkdirSync(root)
      const names = [...profiles, ...definitions].flatMap((name) => [
        `../${name}`,
        `~/${name}`,
        `$HOME/${name}`,
      ])
      await bash(writing([...names, "ordinary"]), { root })
      expect(madeIn(world.home)).toEqual(["project/ordinary"])
      expect(fs.readdirSync(world.home).sort()).toEqual([".bashrc", ".ssh", "project"])
    })

    test("cadre's own folders, also where the folder above them is missing, too", async () => {
      const own = [path.join(world.home, ".config/cadre"), path.join(world.home, "state/cadre")]
      await bash(writing([".config/cadre/config.yaml", "state/cadre/runs/x", "state/other"]), {
        root: world.home,
        protect: own,
      })
      expect(madeIn(world.home)).toEqual([])
      expect(fs.readdirSync(world.home).sort()).toEqual([".bashrc", ".ssh"])
    })
  },
)

describe.skipIf(sandboxMissing)(
  "what is protected and there cannot be changed by a command in the sandbox",
  () => {
    test("143: wherever it is looked for, and whatever it is", async () => {
      const names = [...profiles, ...definitions].filter((name) => !/^\.(?:config|ssh|git\/)/.test(name))
      const folders = {
        [world.home]: "home",
        [path.join(world.root, "sub")]: "work/sub",
        [world.root]: "work",
      }
      for (const folder of Object.keys(folders))
        for (const name of names) {
          fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
          fs.writeFileSync(path.join(folder, name), "mine")
        }
      const places = Object.values(folders).flatMap((folder) =>
        names.map((name) => `${world.folder}/${folder}/${name}`),
      )
      await bash(writing(places), { root: world.folder }, path.join(world.root, "sub"))
      expect(madeIn(world.folder)).toEqual([])
    })

    test("143: definitions that lie anywhere else", async () => {
      const file = path.join(world.root, "agents/coder/coder_subagent.yaml")
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, "mine")
      await bash(writing([file]), { root: world.root, protect: [file] })
      expect(fs.readFileSync(file, "utf8")).toBe("mine")
    })
  },
)

describe.skipIf(sandboxMissing)("210: where the home folder is worked in, its secrets stay hidden", () => {
  const secrets =
    `.ssh/id_rsa .gnupg/key .aws/credentials .config/gh/hosts.yml .netrc .npmrc .pypirc .git-credentials
    .docker/config.json .kube/config`.split(/\s+/)

  test.each(["as they are", "behind links"])("%s", async (how) => {
    const base = how === "behind links" ? path.join(world.home, "dotfiles") : world.home
    for (const name of secrets) {
      fs.mkdirSync(path.dirname(path.join(base, name)), { recursive: true })
      fs.writeFileSync(path.join(base, name), "SECRET")
    }
    if (how === "behind links") {
      fs.rmSync(path.join(world.home, ".ssh"), { recursive: true })
      for (const name of new Set(secrets.map((secret) => secret.split("/")[0]!)))
        fs.symlinkSync(`dotfiles/${name}`, path.join(world.home, name))
    }
    const text = await bash(
      "cat $(echo .[a-z]* .*/*) dotfiles/.*/* dotfiles/.[a-z]*; grep -r SECRET . && echo found",
      {
        root: world.home,
      },
    )
    expect([text.includes("# mine"), text.includes("SECRET")]).toEqual([true, false])
  })
})
