import { spawnSync } from "node:child_process"

/** What a program's own reader of options says: by option, whether it takes a value. */
export interface Probed {
  readonly options: Readonly<Record<string, Takes>>
  /** `permutes`: options may come after operands. `stops`: the first operand ends the options. */
  readonly order: "permutes" | "stops"
}

export type Takes = "none" | "required" | "optional"

/**
 * Asks a program that reads its options with getopt_long. An empty long name is short for all of them, so the program lists
 * them in its complaint, the undocumented ones, too; and it complains of it only when it gets there, which shows what the
 * words before it were taken for.
 */
export function probeGetopt(program: readonly string[]): Probed | undefined {
  const longs = [...complaint(program, ["--=x"]).matchAll(/'(--[^']+)'/g)]
    .map(([, name]) => name!)
    .filter((name) => !name.includes("=x"))
  const options: Record<string, Takes> = {}
  for (const name of longs) options[name] = takenByLong(program, name)
  for (const letter of letters) {
    const takes = takenByLetter(program, letter, longs.length > 0)
    if (takes) options[`-${letter}`] = takes
  }
  if (Object.keys(options).length === 0) return undefined
  const order = isReached(complaint(program, ["operand", ...end(longs.length > 0)])) ? "permutes" : "stops"
  return { options, order }
}

const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#%+,./:=?@[]^_{}~!$&*"]

/** A last word that only a program which gets to it complains of. */
const end = (hasLong: boolean) => [hasLong ? "--=x" : "-\u0001"]

const isReached = (text: string) =>
  /option '--=x' is ambiguous|(?:invalid|unrecognized|illegal) option -- '?(?:\\001|\^A|\?)/.test(text) ||
  /option -- '?/.test(text.slice(0, Math.max(0, text.indexOf("\u0001"))))

function takenByLong(program: readonly string[], name: string): Takes {
  if (/doesn't allow an argument/.test(complaint(program, [`${name}=x`, "--=x"]))) return "none"
  return isReached(complaint(program, [name, "--=x"])) ? "optional" : "required"
}

function takenByLetter(program: readonly string[], letter: string, hasLong: boolean): Takes | undefined {
  const last = complaint(program, [`-${letter}`, ...end(hasLong)])
  if (new RegExp(`(?:invalid|unrecognized|illegal) option -- '?${escaped(letter)}`).test(last))
    return undefined
  if (/requires an argument/.test(complaint(program, [`-${letter}`]))) return "required"
  if (!isReached(last)) return ends(last) ? "none" : "required"
  return isReached(complaint(program, [`-${letter}\u0001`])) ? "none" : "optional"
}

/** An option such as `-h` at which a program stops. */
const ends = (text: string) => /usage:|version|copyright/i.test(text)

const escaped = (letter: string) => letter.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** What it prints, in an empty folder and without anything that it could change. */
function complaint(program: readonly string[], words: readonly string[]): string {
  const box = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
  ]
  const system = ["/usr", "/etc"].flatMap((place) => ["--ro-bind", place, place])
  const links = ["bin", "lib", "lib64"].flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`])
  const rest = [
    "--tmpfs",
    "/tmp",
    "--chdir",
    "/tmp",
    "--setenv",
    "PATH",
    "/usr/bin:/usr/sbin",
    "--setenv",
    "LC_ALL",
    "C",
  ]
  const { stdout, stderr } = spawnSync(
    "/usr/bin/bwrap",
    [...box, ...system, ...links, ...rest, ...program, ...words],
    {
      encoding: "utf8",
      timeout: 2_000,
      maxBuffer: 200_000,
      stdio: ["ignore", "pipe", "pipe"],
    },
  )
  return `${stderr}${stdout}`
}
