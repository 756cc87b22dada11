import type { Access } from "../../agent/tool.ts"
import { Judge } from "./judge.ts"
import { type Machine, thisMachine } from "./machine.ts"

export interface ShellOptions {
  /** Where the command starts. */
  readonly cwd: string
  /** The folder that is worked in; default: where the command starts. */
  readonly root?: string
  readonly home: string
  /** Variables whose values are known. */
  readonly variables?: Readonly<Record<string, string>>
  /** Where it would run; default: here. */
  readonly machine?: Machine
}

const longest = 10_000
const longestRead = 1_000_000

/**
 * Everything a command line would do, as far as that can be told without running it. What cannot be told is in the list,
 * too: `unclear`. It never throws.
 */
export async function shellAccesses(command: string, options: ShellOptions): Promise<readonly Access[]> {
  const { root = options.cwd, home, cwd, machine = thisMachine() } = options
  const judge = new Judge({ root, home, cwd, machine })
  const { found } = judge
  try {
    for (const reason of problemsOf(command)) found.unclear(reason)
    if (forkBomb.test(command.slice(0, longest))) found.dangerous("it starts itself over and over")
    if (command.length > longestRead) return found.all
    const variables = new Map(Object.entries({ ...options.variables, HOME: options.home }))
    judge.begin(command, variables)
  } catch (error) {
    found.unclear(`the command is not understood: ${error instanceof Error ? error.message : String(error)}`)
  }
  return found.all
}

function problemsOf(command: string): readonly string[] {
  const problems: string[] = []
  if (command.length > longest)
    problems.push(`it is ${command.length} characters long, too long to be looked through`)
  const hidden = hiddenCharacter.exec(command)?.[0]
  if (hidden !== undefined)
    problems.push(
      `it has a character in it that is not seen: U+${hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`,
    )
  return problems
}

/** Whatever is not seen, and blanks that are none to the shell. */
const hiddenCharacter = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}]/u

const forkBomb = /([\w:.]{1,50})\s*\(\)\s*\{[^}]*\1\s*\|\s*\1\s*&/
