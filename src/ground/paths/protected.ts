import path from "node:path"

/**
 * The reason why a path may not be written, or undefined. Decides by names alone, so that it covers files
 * that do not exist yet. `target` has no links; `more` has further absolute paths that may not be written.
 */
export function isProtected(
  root: string,
  target: string,
  use: "read" | "write",
  more: readonly string[] = [],
): string | undefined {
  if (use === "read") return undefined
  const names = path.relative(root, target).split(path.sep).map(plainName)
  for (const name of names) {
    const why = folders.get(name) ?? files.get(name) ?? (isSecretFile(name) ? secrets : undefined)
    if (why !== undefined) return `${target} is protected: ${why}. It is never written by a tool.`
  }
  if (names.some((name, index) => name === ".config" && shellFolders.has(names[index + 1] ?? "")))
    return `${target} is protected: ${profile}. It is never written by a tool.`
  if (names.slice(0, -1).includes("agents") && /_subagent\.ya?ml$/.test(names.at(-1)!))
    return `${target} is protected: ${definitions}. It is never written by a tool.`
  const whole = plainPath(target)
  for (const folder of more)
    if (whole === plainPath(folder) || whole.startsWith(`${plainPath(folder)}/`))
      return `${target} is protected: ${folder} belongs to cadre or was protected by the user. It is never written by a tool.`
  return undefined
}

const definitions = "it holds definitions of agents, which say what agents may do"
const own = "it holds cadre's configuration and definitions of agents"
const configuration = "it is configuration that makes programs run commands"
const secrets = "it holds secrets or the environment of programs"
const profile = "it runs whenever a shell starts"
const repository = "it belongs to git, which runs what stands in it; use git itself"

const folders: ReadonlyMap<string, string> = new Map([
  [".git", repository],
  [".cadre", own],
  [".claude", definitions],
  [".claude-plugin", definitions],
  [".codex", definitions],
  [".acai", definitions],
  [".gobby", definitions],
  [".gemini", definitions],
  [".cursor", definitions],
  [".opencode", definitions],
  [".vscode", configuration],
  [".idea", configuration],
  [".husky", configuration],
  [".ssh", "it holds keys"],
  [".gnupg", "it holds keys"],
])

const files: ReadonlyMap<string, string> = new Map(
  Object.entries({
    [configuration]:
      ".mcp.json .npmrc .yarnrc .yarnrc.yml .pnpmrc .pypirc .gitconfig .gitmodules .hgrc .ripgreprc .curlrc .wgetrc",
    [secrets]: ".netrc .git-credentials",
    [profile]:
      ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment .xonshrc",
  }).flatMap(([why, names]) => names.split(" ").map((name) => [name, why] as const)),
)

/** Shells with their profile in a folder of `.config`. */
const shellFolders = new Set(["fish", "powershell", "nushell", "elvish", "xonsh"])

/** Folders with definitions of agents, and the folder that git uses. */
export const definitionFolders: readonly string[] = [...folders.keys()].filter((name) =>
  [repository, definitions, own].includes(folders.get(name)!),
)

/** The files that shells read in a home folder. */
export const profileNames: readonly string[] = [...files.keys()].filter((name) => files.get(name) === profile)

/** Names that are protected in every folder. */
export const protectedNames: readonly string[] = [...folders.keys(), ...files.keys()]

/** `.env`, `.env.local`, `.envrc`; but not the examples that are meant to be shared. */
export const isSecretFile = (name: string): boolean =>
  /^\.env(?:rc)?(?:\..*)?$/.test(name) && !/\.(?:example|sample|template|dist)$/.test(name)

/**
 * One spelling for all names that some file system treats as the same. That covers letter case, Unicode forms
 * and characters that HFS+ ignores. It also covers the dots, spaces and streams that Windows drops, and its
 * short names.
 */
function plainName(name: string): string {
  const plain = name
    .normalize("NFKC")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, "")
    .toLowerCase()
    .normalize("NFKC")
    .replace(/(.):.*$/s, "$1")
    .replace(/[. ]+$/, "")
  return shortNames.get(plain) ?? plain
}

const shortNames: ReadonlyMap<string, string> = new Map(
  [".git", ".cadre", ".claude", ".codex", ".vscode", ".ssh", ".env"].map((name) => [
    `${name.slice(1, 7)}~1`,
    name,
  ]),
)

const plainPath = (target: string): string => target.split(path.sep).map(plainName).join("/")
