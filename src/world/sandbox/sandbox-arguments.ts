import fs from "node:fs"
import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import { isFolder } from "../../ground/paths/look.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"
import { buildKernelArguments } from "./kernel-paths.ts"

export interface SandboxBounds {
  /** The working folder: the only place that can be written, besides `writable` and a private /tmp. */
  readonly root: string
  readonly writable?: readonly string[]
  /** Paths below the root that cannot be changed or made: `.git`, `.cadre`, folders of definitions. */
  readonly protected?: readonly string[]
  /** Files and folders that exist and are empty to commands. */
  readonly concealed?: readonly string[]
  /** Paths that commands can read below the home folder, which is hidden otherwise. */
  readonly visible?: readonly string[]
  /** Folders outside of the root that are empty to commands: keys, and logs of other runs. */
  readonly hidden?: readonly string[]
  /** Sockets of other programs that commands cannot connect to. */
  readonly sockets?: readonly string[]
  readonly network: "none" | "full"
  readonly home: string
}

/** The arguments of bubblewrap in front of the command. Later mounts cover earlier ones. */
export function buildSandboxArguments(
  bounds: SandboxBounds & { readonly cwd: string; readonly path: string },
): readonly string[] {
  const root = withoutLinks(bounds.root)
  const home = withoutLinks(bounds.home)
  const hidden = hiddenFolders(home, (bounds.hidden ?? []).map(withoutLinks))
  const writable = [root, ...(bounds.writable ?? []).map(withoutLinks)]
  const secrets = secretsWithin(writable, bounds.home)
  const visibleFolders = [...toolFolders(bounds), ...[root, ...(bounds.visible ?? [])].flatMap(gitFolder)]
  // The mount of such a path would show a hidden one again.
  const protectedPlaces = (bounds.protected ?? [])
    .map((name) => path.resolve(root, name))
    .filter((place) => !secrets.some((secret) => isInside(secret, withoutLinks(place))))
  const isVisible = (place: string) =>
    [...visibleFolders, ...writable].some((folder) => isInside(folder, place)) ||
    !hidden.some((folder) => isInside(folder, place))
  const concealed = (bounds.concealed ?? []).filter((place) => fs.existsSync(place) && isVisible(place))
  return [
    ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(bounds.network === "none" ? ["--unshare-net"] : []),
    // --unshare-pid and --die-with-parent leave no orphans: a killed host ends the sandbox with all its
    // processes.
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...buildKernelArguments()],
    ...hidden.flatMap((folder) => ["--tmpfs", folder]),
    ...(hidden.some((folder) => home.startsWith(`${folder}/`)) ? ["--dir", home] : []),
    ...nameResolution(bounds.network),
    ...visibleFolders.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...writable.flatMap((folder) => [
      protectedPlaces.includes(folder) ? "--ro-bind" : "--bind",
      folder,
      folder,
    ]),
    ...foldersAbove([...protectedPlaces, ...concealed], writable, protectedPlaces).flatMap((folder) => [
      "--bind",
      folder,
      folder,
    ]),
    ...secrets.flatMap((place) => (isFolder(place) ? ["--tmpfs", place] : conceal(place))),
    ...protectedPlaces.flatMap((place) => protect(place, writable, hidden)),
    ...concealed.flatMap(conceal),
    ...(bounds.sockets ?? [])
      .filter(
        (place) => isVisible(place) && ![...secrets, ...concealed].some((other) => isInside(other, place)),
      )
      .flatMap(conceal),
    ...["--chdir", withoutLinks(bounds.cwd)],
  ]
}

/**
 * The folders with sockets of other programs, files of other runs, and everything that people keep at home.
 */
function hiddenFolders(home: string, more: readonly string[]): readonly string[] {
  const folders = ["/tmp", "/var/tmp", "/run", "/root", "/home", home, ...more].filter(isFolderItself)
  return folders.filter(
    (folder, index) =>
      folder !== "/" &&
      folders.indexOf(folder) === index &&
      !folders.some((other) => folder.startsWith(`${other}/`)),
  )
}

/** With systemd, the list of name servers is in /run, which is hidden. */
function nameResolution(network: SandboxBounds["network"]): readonly string[] {
  const file = withoutLinks("/etc/resolv.conf")
  return network === "full" && file.startsWith("/run/") && fs.existsSync(file)
    ? ["--ro-bind", file, file]
    : []
}

/**
 * Folders of programs that a person installed at home. For a `bin` deep enough below home, the folder above
 * is shown.
 */
function toolFolders({
  home,
  path: search,
  visible = [],
}: SandboxBounds & { path: string }): readonly string[] {
  const base = withoutLinks(home)
  const folders = search.split(":").flatMap((entry) => {
    const folder = withoutLinks(entry)
    if (!folder.startsWith(`${base}/`)) return []
    const above = path.dirname(folder)
    const deep = path.relative(base, above).split("/").length >= 3
    return [path.basename(folder) === "bin" && deep ? above : folder]
  })
  return [...new Set([...folders, ...visible.map(withoutLinks)])].filter(isFolder)
}

/**
 * The repository of a worktree is elsewhere, where it would be hidden. It is shown if it names the worktree
 * as its own.
 */
function gitFolder(root: string): readonly string[] {
  const git = path.join(root, ".git")
  const target = /^gitdir: (.+)$/m.exec(readText(git))?.[1]
  if (target === undefined) return []
  const own = path.resolve(root, target)
  const folder = /^(.*\/\.git)\/(?:worktrees|modules)\//.exec(own)?.[1]
  if (folder === undefined || !isFolder(folder)) return []
  const tree = /^\s*worktree = (.+)$/m.exec(readText(path.join(own, "config")))?.[1]
  const places = [
    readText(path.join(own, "gitdir")).trim(),
    tree === undefined ? "" : path.join(tree, ".git"),
  ]
  const isOwn = places.some(
    (place) => place !== "" && withoutLinks(path.resolve(own, place)) === withoutLinks(git),
  )
  return isOwn ? [withoutLinks(folder)] : []
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return ""
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

/** Where the home folder itself can be written, the secrets in it stay hidden. */
function secretsWithin(writable: readonly string[], home: string): readonly string[] {
  const base = withoutLinks(home)
  if (!writable.some((folder) => isInside(folder, base))) return []
  return secretPlaces
    .map((name) => path.join(base, name))
    .filter((place) => fs.existsSync(place))
    .map(withoutLinks)
    .filter((place) => writable.some((folder) => folder !== place && isInside(folder, place)))
}

/**
 * An existing path cannot be changed, and a missing one cannot be made: an empty folder stands in for it. In
 * a hidden folder the sandbox makes the stand-in, which no other process sees. A link's target outside of the
 * writable folders does not belong to the workspace: it is not shown, no matter where the link comes from.
 */
function protect(place: string, writable: readonly string[], hidden: readonly string[]): readonly string[] {
  const isThere = fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined
  if (!isThere && !writable.some((folder) => isInside(folder, place)))
    return hidden.some((folder) => isInside(folder, place)) ? ["--tmpfs", place, "--remount-ro", place] : []
  const real = withoutLinks(place)
  const isOurs = writable.some((folder) => folder !== real && isInside(folder, real))
  return isOurs && (!isThere || fs.existsSync(real)) ? ["--ro-bind", real, real] : []
}

const conceal = (place: string): readonly string[] =>
  isFolder(place) ? ["--tmpfs", place, "--remount-ro", place] : ["--ro-bind", "/dev/null", place]

/**
 * A mount moves along with the folder above it, and another folder could take its place. So the folders above
 * become mounts themselves.
 */
function foldersAbove(
  places: readonly string[],
  writable: readonly string[],
  fixed: readonly string[],
): readonly string[] {
  const above = new Set<string>()
  for (const place of places) {
    const top = writable.find((folder) => folder !== place && isInside(folder, place))
    if (top === undefined) continue
    for (let folder = path.dirname(place); folder !== top; folder = path.dirname(folder))
      if (withoutLinks(folder) === folder && isFolder(folder)) above.add(folder)
  }
  return [...above]
    .filter((folder) => !fixed.some((place) => isInside(place, folder)))
    .sort((one, other) => one.length - other.length)
}

/** False for a link to a folder. */
function isFolderItself(place: string): boolean {
  return isFolder(place) && fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true
}
