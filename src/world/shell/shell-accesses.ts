import type { Access } from "../../agent/tool.ts"
import { Judge } from "./judge.ts"
import { findInstalledPrograms, type InstalledPrograms } from "./machine.ts"

export interface ShellOptions {
  /** The folder in which the command starts. */
  readonly cwd: string
  /** The working folder; default: the folder in which the command starts. */
  readonly root?: string
  readonly home: string
  /** Variables whose values are known. */
  readonly variables?: Readonly<Record<string, string>>
  /** The machine that the command would run on; default: this one. */
  readonly machine?: InstalledPrograms
}

const longest = 10_000
const longestRead = 1_000_000

/**
 * The effects of a command line that are known without running it. The rest is reported
 * as `unclear`. It never throws.
 */
export async function findShellAccesses(command: string, options: ShellOptions): Promise<readonly Access[]> {
  const { root = options.cwd, home, cwd, machine = findInstalledPrograms() } = options
  const judge = new Judge({ root, home, cwd, machine })
  const { findings } = judge
  try {
    for (const reason of problemsOf(command)) findings.addUnclear(reason)
    if (forkBomb.test(command.slice(0, longest)))
      findings.addDangerous("the command starts itself over and over")
    if (command.length > longestRead) return findings.all
    const variables = new Map(Object.entries({ ...options.variables, HOME: options.home }))
    judge.begin(command, variables)
  } catch (error) {
    findings.addUnclear(
      `the command cannot be analysed: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  return findings.all
}

function problemsOf(command: string): readonly string[] {
  const problems: string[] = []
  if (command.length > longest)
    problems.push(`the command is ${command.length} characters long, too long for a person to review`)
  const hidden = hiddenCharacter.exec(command)?.[0]
  if (hidden !== undefined)
    problems.push(
      `the command has an invisible character in it: U+${hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`,
    )
  return problems
}

/** Invisible characters, and blanks that the shell does not treat as blanks. */
const hiddenCharacter = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}]/u

const forkBomb = /([\w:.]{1,50})\s*\(\)\s*\{[^}]*\1\s*\|\s*\1\s*&/
