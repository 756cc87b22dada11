import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { defineAgent, type RuleDecision } from "../../src/agent/agent.ts"
import { getModeRules, type PermissionMode } from "../../src/definitions/authority/mode.ts"
import type { RuleSet } from "../../src/run/log/event-rights.ts"
import { judge } from "../../src/run/rights/rights.ts"
import { buildRuleSets } from "../../src/run/rights/rule-sets.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { sandboxMissing } from "../sandbox/kit.ts"

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "cadre-rules-")))
  mkdirSync(path.join(root, "src"))
  mkdirSync(path.join(root, "lib"))
  for (const file of ["src/a.ts", "lib/b.ts", ".env", "run.py"]) writeFileSync(path.join(root, file), "x\n")
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Rules {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}

const rulesOf = ({ allow = [], ask = [], deny = [] }: Rules) =>
  (
    [
      ["allow", allow],
      ["ask", ask],
      ["deny", deny],
    ] as const
  ).flatMap(([decision, tools]) => tools.map((tool) => ({ tool: tool.replace("ROOT", root), decision })))

/** What is decided about a command in a mode, under rules of the configuration, and perhaps of an agent. */
async function decided(
  command: string,
  mode: PermissionMode,
  rules: Rules,
  { sandbox = "off", agent = {} }: { sandbox?: "off" | "preferred"; agent?: Rules } = {},
): Promise<RuleDecision> {
  const tool = createBashTool({ root, sandbox })
  if (tool.kind !== "function") throw new Error("it is a function")
  const accesses = await tool.accesses!({ command }, { cwd: root })
  const { rules: more, otherwise } = getModeRules(mode, root)
  const rights: readonly RuleSet[] = [
    { of: "agent", rules: rulesOf(agent), otherwise: "allow" },
    { of: "the configuration", rules: [...rulesOf(rules), ...more], otherwise },
  ]
  return judge(rights, { tool: "Bash", accesses }).decision
}

const noSource = { deny: ["Edit(ROOT/src/**)"] }
const git = { allow: ["Bash(git:*)", "Bash(patch:*)", "Bash(unzip:*)", "Bash(prettier:*)"] }

describe("a rule that forbids a file also holds for commands that do not name it", () => {
  test.each<[string, RuleDecision, RuleDecision]>([
    // The command, without the rule, with the rule.
    ["git checkout .", "allow", "ask"],
    ["git checkout main", "allow", "ask"],
    ["git checkout -- src/a.ts", "allow", "deny"],
    ["git checkout -- lib/b.ts", "allow", "allow"],
    ["git restore src", "allow", "deny"],
    ["git restore lib", "allow", "allow"],
    ["git reset --hard", "allow", "ask"],
    ["git stash", "allow", "ask"],
    ["git stash push -- lib", "allow", "allow"],
    ["git clean -fd", "allow", "ask"],
    ["git apply x.patch", "allow", "ask"],
    ["git mv src/a.ts lib/c.ts", "allow", "deny"],
    ["git rm lib/b.ts", "allow", "allow"],
    ["patch -p1 -i x.diff", "allow", "ask"],
    ["patch -d lib -p1 -i x.diff", "allow", "allow"],
    ["unzip a.zip", "allow", "ask"],
    ["unzip a.zip -d lib", "allow", "allow"],
    ["prettier --write src/a.ts", "allow", "deny"],
    ["prettier --write .", "allow", "ask"],
    ["prettier --write lib", "allow", "allow"],
    ["git status", "allow", "allow"],
    ["git commit -m x", "allow", "allow"],
    ["git checkout -b x", "allow", "allow"],
    ["git log --oneline", "allow", "allow"],
    // What a command writes besides what it is for was never allowed with it.
    ["git log > lib/x", "ask", "ask"],
    ["git log > src/x", "ask", "deny"],
    ["git -C ../other checkout .", "ask", "ask"],
  ])("%s", async (command, without, within) => {
    expect([
      await decided(command, "default", git),
      await decided(command, "default", { ...git, ...noSource }),
    ]).toEqual([without, within])
  })

  test.each([
    "git checkout .",
    "git stash",
    "tar xf a.tar",
    "patch -p1",
    "find . -delete",
    "rsync -a x .",
    "prettier .",
  ])("in bypass %s asks, and in plan it is refused", async (command) => {
    const boxed = { sandbox: "preferred" } as const
    expect([
      await decided(command, "bypass", {}, boxed),
      await decided(command, "bypass", noSource, boxed),
      await decided(command, "plan", git, boxed),
    ]).toEqual(["allow", "ask", "deny"])
  })

  test("an agent's own rule does as well, and one that asks", async () => {
    expect(await decided("git stash", "default", git, { agent: noSource })).toBe("ask")
    expect(await decided("git restore src", "default", git, { agent: noSource })).toBe("deny")
    expect(await decided("git restore src", "default", { ...git, ask: ["Write(ROOT/src/**)"] })).toBe("ask")
  })

  test("what an agent is granted by a list of commands, it may still do", async () => {
    const accesses = [
      { type: "command", text: "git stash" },
      { type: "write", path: root, below: true, implied: "certain" },
    ] as const
    const rights: RuleSet[] = [
      {
        of: "tools",
        tools: ["Bash"],
        rules: [{ tool: "Bash(git:*)", decision: "allow" }],
        otherwise: "deny",
      },
    ]
    expect(judge(rights, { tool: "Bash", accesses }).decision).toBe("allow")
  })
})

describe("where there are rules and no sandbox, what nobody knows asks in every mode", () => {
  const rules = { deny: ["Read(ROOT/.env)"] }
  test.each([
    "python3 run.py",
    "python3 -c 'print(open(\".env\").read())'",
    "node -e 1",
    "./build.sh",
    "bash build.sh",
    "cargo build",
    "npm test",
    "npm install",
    "make",
    "eval $x",
    "cat $(ls)",
    "sudo ./build.sh",
    "true && cargo build",
    "for x in a b; do ./build.sh $x; done",
  ])("%s", async (command) => {
    expect({
      free: await decided(command, "bypass", {}),
      allowedAsAWhole: await decided(command, "bypass", { allow: ["Bash"], ...rules }),
      ruled: await decided(command, "bypass", rules),
      ruledByTheAgent: await decided(command, "bypass", {}, { agent: rules }),
      otherRules: await decided(command, "bypass", { deny: ["Agent(x)", "WebSearch"] }),
    }).toEqual({
      free: "allow",
      allowedAsAWhole: "ask",
      ruled: "ask",
      ruledByTheAgent: "ask",
      otherRules: "allow",
    })
  })

  test.each(["ls", "git status", "cat lib/b.ts", "grep -r x lib", "echo hello", "mkdir lib/x"])(
    "but what is known does not: %s",
    async (command) => {
      expect(await decided(command, "bypass", rules)).toBe("allow")
    },
  )

  test("unless a rule of whoever stands above names it", async () => {
    const named = { allow: ["Bash(cargo:*)", "Bash(npm test)"] }
    for (const command of ["cargo build", "npm test"]) {
      expect([command, await decided(command, "bypass", { ...named, ...rules })]).toEqual([command, "allow"])
      expect([command, await decided(command, "bypass", named, { agent: rules })]).toEqual([command, "allow"])
      expect([command, await decided(command, "bypass", rules, { agent: named })]).toEqual([command, "ask"])
    }
  })
})

describe("a rule about a verb of git also holds where options stand before the verb", () => {
  test.each([
    "git push",
    "git -C . push origin main",
    "git --no-pager push",
    "git -c a.b=c push",
    "git --git-dir .git --work-tree=. push",
    "git --namespace x -C lib push --force",
    "git --shallow-file x push",
    "env git -C lib push",
  ])("%s", async (command) => {
    const about = ["Bash(git push:*)"]
    expect({
      denied: await decided(command, "bypass", { deny: about }, { sandbox: "preferred" }),
      asked: await decided(command, "bypass", { ask: about }, { sandbox: "preferred" }),
      other: await decided(command, "bypass", { deny: ["Bash(git pull:*)"] }, { sandbox: "preferred" }),
      // Where nothing holds it, what its options lead to is asked about.
    }).toEqual({
      denied: "deny",
      asked: "ask",
      other: /-c|-dir|-file|-namespace/.test(command) && sandboxMissing ? "ask" : "allow",
    })
  })

  test("and one that allows does not: an option may lead anywhere", async () => {
    const only = (rule: string) => decided("git -C lib status", "default", { allow: [rule] })
    expect([
      await only("Bash(git status:*)"),
      await only("Bash(git -C lib status)"),
      await only("Bash(git:*)"),
    ]).toEqual(["ask", "allow", "allow"])
  })
})

describe("an entry of a list is for such commands, whatever they do", () => {
  /** What the list alone decides; rules of a configuration come on top of it. */
  async function byList(list: string, command: string): Promise<RuleDecision> {
    const tool = createBashTool({ root, sandbox: "off" })
    if (tool.kind !== "function") throw new Error("it is a function")
    const { tools, ...agent } = defineAgent({ name: "a", instructions: "x", tools: list.split(", ") })
    const sets = buildRuleSets({ ...agent, tools }, new Map([[tool.name, tool]]), root, "own")
    return judge(sets, { tool: "Bash", accesses: await tool.accesses!({ command }, { cwd: root }) }).decision
  }

  test.each<[string, string, RuleDecision]>([
    ["Bash(touch:*)", "touch zz", "allow"],
    ["Bash(touch:*)", "touch zz && touch /elsewhere/zz", "allow"],
    ["Bash(mkdir:*)", "mkdir -p a/b", "allow"],
    ["Bash(cp:*)", "cp src/a.ts lib", "allow"],
    ["Bash(sed:*)", "sed -i s/a/b/ src/a.ts", "allow"],
    ["Bash(npm:*)", "npm run lint", "allow"],
    ["Bash(npm test:*)", "npm test -- --watch", "allow"],
    ["Bash(npm test:*)", "npm run test", "deny"],
    ["Bash(make:*)", "make all", "allow"],
    ["Bash(python3:*)", "python3 -c 'print(1)'", "allow"],
    // What asks whatever the rules allow still does.
    ["Bash(rm:*)", "rm -rf /", "ask"],
    ["Bash(git:*)", "git status; rm x", "deny"],
    ["Bash(git:*)", "git status && touch zz", "deny"],
    ["Bash(git:*)", "git status > file", "deny"],
    ["Bash(touch:*)", "touch a > a", "deny"],
    ["Bash(git:*)", "git status 2>/dev/null", "allow"],
    ["Bash(touch:*)", "touch $(rm x)", "deny"],
    ["Bash(touch:*)", 'touch "$(cat src/a.ts)"', "deny"],
    ["Bash(touch:*), Bash(bash:*)", "bash -c 'touch zz'", "allow"],
    ["Bash(touch:*), Bash(bash:*)", "bash -c 'touch zz > yy'", "deny"],
    ["Bash(touch:*), Bash(bash:*)", "bash -c 'rm zz'", "deny"],
    ["Bash(bash:*)", 'bash -c "$COMMAND"', "deny"],
    ["Bash(xargs:*)", "xargs touch", "deny"],
    ["Bash(git:*), Edit", "git status > file", "allow"],
    ["Bash(git:*), Write", "git status > file", "allow"],
    ["Bash(git:*), Edit", "git status > /elsewhere/file", "deny"],
    ["Bash(git:*), Edit(src/**)", "git status > src/file", "allow"],
    ["Bash(git:*), Edit(src/**)", "git status > lib/file", "deny"],
    ["Bash(git:*), Edit", "touch zz", "deny"],
    ["Bash(git:*), Bash", "git status > file; rm x", "allow"],
  ])("%s: %s", async (list, command, decision) => {
    expect(await byList(list, command)).toBe(decision)
  })

  test("a denial of what the command does still binds", async () => {
    const rules = { agent: { deny: ["Edit(ROOT/src/**)"] } }
    expect(await decided("touch src/a.ts", "bypass", { allow: ["Bash(touch:*)"] }, rules)).toBe("deny")
  })
})
