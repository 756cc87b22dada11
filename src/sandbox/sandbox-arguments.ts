import fs from "node:fs"
import path from "node:path"

export interface Bounds {
  /** The folder that is worked in: writable, and the only place that is besides `writable` and a private /tmp. */
  readonly root: string
  readonly writable?: readonly string[]
  /** Below the root, but not to be changed or made: `.git`, `.cadre`, folders of definitions. */
  readonly protected?: readonly string[]
  /** Below the home folder, which is hidden otherwise: to be read. */
  readonly visible?: readonly string[]
  /** Folders outside of the root that are empty to commands: keys, and logs of other runs. */
  readonly hidden?: readonly string[]
  readonly network: "none" | "full"
  readonly home: string
}

/** The arguments of bubblewrap in front of the command. Later ones lie over earlier ones. */
export function sandboxArguments(
  bounds: Bounds & { readonly cwd: string; readonly path: string },
): readonly string[] {
  const root = realOf(bounds.root)
  const home = realOf(bounds.home)
  const hidden = hiddenFolders(home, (bounds.hidden ?? []).map(realOf))
  const writable = [root, ...(bounds.writable ?? []).map(realOf)]
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(bounds.network === "none" ? ["--unshare-net"] : []),
    // Without the first the second would leave orphans, and without the second a killed host would.
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...hidden.flatMap((folder) => ["--tmpfs", folder]),
    ...(hidden.some((folder) => home.startsWith(`${folder}/`)) ? ["--dir", home] : []),
    ...nameResolution(bounds.network),
    ...[...toolFolders(bounds), ...[root, ...(bounds.visible ?? [])].flatMap(gitFolder)].flatMap((folder) => [
      "--ro-bind",
      folder,
      folder,
    ]),
    ...writable.flatMap((folder) => ["--bind", folder, folder]),
    ...secretsWithin(writable, bounds.home),
    ...(bounds.protected ?? []).flatMap((name) => protect(path.resolve(root, name))),
    ...["--chdir", realOf(bounds.cwd)],
  ]
}

/** Sockets of other programs, files of other runs, and everything that people keep at home. */
function hiddenFolders(home: string, more: readonly string[]): readonly string[] {
  const folders = ["/tmp", "/var/tmp", "/run", "/root", "/home", home, ...more].filter(
    (folder) => isFolder(folder) && !isLink(folder),
  )
  return folders.filter(
    (folder, index) =>
      folder !== "/" &&
      folders.indexOf(folder) === index &&
      !folders.some((other) => folder.startsWith(`${other}/`)),
  )
}

/** With systemd the list of name servers lies in /run, which is hidden. */
function nameResolution(network: Bounds["network"]): readonly string[] {
  const file = realOf("/etc/resolv.conf")
  return network === "full" && file.startsWith("/run/") && fs.existsSync(file)
    ? ["--ro-bind", file, file]
    : []
}

/** Programs that a person installed at home; the folder above `bin` only where it belongs to nothing else. */
function toolFolders({ home, path: search, visible = [] }: Bounds & { path: string }): readonly string[] {
  const base = realOf(home)
  const folders = search.split(":").flatMap((entry) => {
    const folder = realOf(entry)
    if (!folder.startsWith(`${base}/`)) return []
    const above = path.dirname(folder)
    const deep = path.relative(base, above).split("/").length >= 3
    return [path.basename(folder) === "bin" && deep ? above : folder]
  })
  return [...new Set([...folders, ...visible.map(realOf)])].filter(isFolder)
}

/** A worktree's repository lies elsewhere, where it would be hidden. */
function gitFolder(root: string): readonly string[] {
  try {
    const target = /^gitdir: (.+)$/m.exec(fs.readFileSync(path.join(root, ".git"), "utf8"))?.[1]
    const folder = target && /^(.*\/\.git)(?:\/|$)/.exec(path.resolve(root, target))?.[1]
    return folder && isFolder(folder) ? [realOf(folder)] : []
  } catch {
    return []
  }
}

const secretPlaces = [
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  ".config",
  ".local/share",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".cadre",
]

/** Where the home folder itself is worked in, what is secret in it stays hidden. */
function secretsWithin(writable: readonly string[], home: string): readonly string[] {
  const base = realOf(home)
  if (!writable.some((folder) => base === folder || base.startsWith(folder === "/" ? "/" : `${folder}/`)))
    return []
  return secretPlaces
    .map((name) => path.join(base, name))
    .filter((place) => fs.existsSync(place) && !isLink(place))
    .flatMap((place) => (isFolder(place) ? ["--tmpfs", place] : ["--ro-bind", "/dev/null", place]))
}

/** What is there cannot be changed, and what is not there cannot be made: something empty lies in its place. */
function protect(place: string): readonly string[] {
  if (fs.existsSync(place)) return ["--ro-bind", realOf(place), realOf(place)]
  return guardsFile(place) ? ["--ro-bind", "/dev/null", place] : ["--tmpfs", place, "--remount-ro", place]
}

/** Whether a name that is not there yet is taken for a file: `.mcp.json`, not `.git`. */
export const guardsFile = (place: string): boolean => /^.+\.[^.]+$/.test(path.basename(place))

const isFolder = (place: string) => fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false

const isLink = (place: string) => fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

function realOf(place: string): string {
  try {
    return fs.realpathSync(place)
  } catch {
    return path.resolve(place)
  }
}
