import { execFileSync, spawnSync } from "node:child_process"
import { describe, expect, test } from "vitest"
import { commands } from "../../../../test/command-line/completion-kit.ts"
import { writeBashCompletion } from "./bash.ts"
import { writeFishCompletion } from "./fish.ts"
import { writeZshCompletion } from "./zsh.ts"

const isThere = (shell: string) => spawnSync(shell, ["--version"]).status === 0

for (const shell of ["bash", "zsh", "fish"])
  if (!isThere(shell)) console.warn(`SKIPPED: ${shell} is not installed, so its completion is not tested`)

describe.skipIf(!isThere("bash"))("bash offers", () => {
  const agents = ["reviewer", "runner", "two words", "$(touch evil)", "*"]
  /** The last word is the word under the cursor. */
  const offers = (
    words: readonly string[],
    list = `printf '%s\\n' ${agents.map((name) => `'${name}'`).join(" ")}`,
  ) => {
    const program = `
cadre() { [[ "$*" == 'list --names' ]] && { ${list}; }; }
source /dev/stdin <<'SCRIPT'
${writeBashCompletion(commands)}
SCRIPT
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_cadre
for reply in "\${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done`
    const output = execFileSync("bash", ["--norc", "-c", program, "bash", ...words], { encoding: "utf8" })
    return output.split("\n").slice(0, -1)
  }

  test.each<[string, readonly string[], readonly string[]]>([
    ["commands", ["cadre", ""], ["check", "convert", "help"]],
    ["commands by their beginning", ["cadre", "co"], ["convert"]],
    ["commands after a flag", ["cadre", "--no-color", "ch"], ["check"]],
    ["commands to be explained", ["cadre", "help", ""], ["check", "convert"]],
    ["options before a command", ["cadre", "--"], ["--help", "--no-color", "--version"]],
    ["options of a command", ["cadre", "check", "--f"], ["--format", "--fix"]],
    ["nothing hidden", ["cadre", "check", "--s"], []],
    ["values", ["cadre", "check", "--format", ""], ["text", "json"]],
    ["values of a short option", ["cadre", "check", "-f", "j"], ["json"]],
    ["values after =", ["cadre", "check", "--format", "=", "j"], ["json"]],
    ["values right after =", ["cadre", "check", "--format", "="], ["text", "json"]],
    ["nothing for files, which bash knows itself", ["cadre", "check", "--format", "json", ""], []],
    ["choices of the second argument", ["cadre", "convert", "reviewer", ""], ["claude", "codex"]],
    ["nothing after the last argument", ["cadre", "convert", "a", "claude", "x", ""], []],
    ["agents", ["cadre", "convert", "r"], ["reviewer", "runner"]],
    ["agents for an option", ["cadre", "check", "--only", "rev"], ["reviewer"]],
    ["names that the shell would obey, quoted", ["cadre", "convert", "$"], ["\\$\\(touch\\ evil\\)"]],
    ["nothing for an unknown command", ["cadre", "nope", ""], []],
  ])("%s", (_, words, expected) => {
    expect(offers(words)).toEqual(expected)
  })

  test("no agents, silently, where nobody can list them", () => {
    expect(offers(["cadre", "convert", ""], "echo 'Unknown command' >&2; return 2")).toEqual([])
  })
})

describe.skipIf(!isThere("fish"))("fish offers", () => {
  test.each<[string, readonly string[]]>([
    ["cadre co", ["convert"]],
    ["cadre check --f", ["--fix", "--format"]],
    ["cadre check --format ", ["json", "text"]],
    ["cadre convert rev", ["reviewer"]],
  ])("for %j", (line, expected) => {
    const program = `function cadre; echo reviewer; end
${writeFishCompletion(commands)}
complete -C ${JSON.stringify(line)}`
    const output = execFileSync("fish", ["--no-config", "-c", program], { encoding: "utf8" })
    expect(
      output
        .split("\n")
        .flatMap((row) => row.split("\t")[0] || [])
        .sort(),
    ).toEqual(expected)
  })
})

test.skipIf(!isThere("zsh"))("zsh can read its script", () => {
  const { status, stderr } = spawnSync("zsh", ["-n"], {
    input: writeZshCompletion(commands),
    encoding: "utf8",
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
})
