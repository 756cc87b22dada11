import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

export interface ChildEnvironmentOptions {
  /** The working folder: no program is looked up there. */
  readonly root: string
  /** Further folders where no program is looked up. */
  readonly apart?: readonly string[]
  /** Names of variables that a person allowed commands to have. */
  readonly grants?: readonly string[]
  /**
   * A mark in the environment of every process that a call starts. By this mark, processes that it leaves
   * behind are recognised.
   */
  readonly marker: string
  /** The depth of the run that makes the call. */
  readonly depth?: number
}

/** The variable that holds the marker. */
export const markerName = "CADRE_RUN"
/** The variable with the depth that a run would have if a command started it. */
export const depthName = "CADRE_DEPTH"
/** The variable in the environment of every process that a host starts. */
export const hostName = "CADRE_HOST"

/**
 * The environment of a child process: harmless variables, those that were granted by name, and fixed ones.
 */
export function buildChildEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { root, apart = [], grants = [], marker, depth = 0 }: ChildEnvironmentOptions,
): Record<string, string> {
  const child: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue
    if (grants.includes(name) || isHarmless(name, value)) child[name] = value
  }
  return {
    ...child,
    PATH: cleanPath(child.PATH, [root, ...apart]),
    ...fixedVariables,
    [markerName]: marker,
    [depthName]: String(depth + 1),
  }
}

/** True if every command has this variable, or if cadre sets it for each of them. */
export const isPassedOn = (name: string, value: string): boolean =>
  isHarmless(name, value) || [markerName, depthName, hostName].includes(name)

const isHarmless = (name: string, value: string): boolean =>
  harmless.test(name) && !secretName.test(name) && !secretValue.test(value)

/** With these, no program waits for a person, fills a screen, or colours text that a model reads. */
const fixedVariables: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  SSH_ASKPASS: "false",
  SSH_ASKPASS_REQUIRE: "never",
  EDITOR: "false",
  VISUAL: "false",
  GIT_EDITOR: "false",
  GIT_SEQUENCE_EDITOR: "false",
  DEBIAN_FRONTEND: "noninteractive",
}

const harmless =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PYENV_ROOT|VOLTA_HOME|PNPM_HOME|BUN_INSTALL|DENO_DIR)$/

const secretName = /KEY|TOKEN|SECRET|PASSW|CRED|AUTH|PRIVATE|CERT/i

/** Keys in the form that providers give them, and addresses with a password in them. */
const secretValue =
  /(?:^|[^A-Za-z0-9])(?:sk-[\w-]{10,}|sk_(?:live|test)_\w{10,}|gh[pousr]_\w{10,}|github_pat_\w{10,}|glpat-[\w-]{10,}|xox[abprs]-[\w-]{8,}|A[KS]IA[A-Z0-9]{12,}|AIza[\w-]{20,}|hf_\w{20,}|npm_\w{20,}|eyJ[\w-]{8,}\.[\w-]{8,}|-----BEGIN [A-Z ]*PRIVATE)|:\/\/[^/\s:@]+:[^/\s@]+@/

const standardPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** Removes folders that are relative, or into which the workspace could put programs. */
function cleanPath(text: string | undefined, without: readonly string[]): string {
  // Where the workspace is the whole system, programs can only come from there.
  const roots = without
    .flatMap((root) => [path.resolve(root), withoutLinks(root)])
    .filter((root) => root !== path.parse(root).root)
  const folders = (text ?? "")
    .split(path.delimiter)
    .filter(
      (folder) =>
        path.isAbsolute(folder) &&
        !roots.some((parent) => isInside(parent, folder) || isInside(parent, withoutLinks(folder))),
    )
  return folders.length > 0 ? folders.join(path.delimiter) : standardPath
}
