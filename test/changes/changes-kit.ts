import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { contents } from "../file-kit.ts"
import { commit, git } from "../git-kit.ts"
import { CommandWorld } from "../run-command-kit.ts"

export const bash = (command: string) => ({ tool: "Bash", input: { command } })
export const write = (file_path: string, content: string) => ({
  tool: "Write",
  input: { file_path, content },
})
export const read = (file_path: string) => ({ tool: "Read", input: { file_path } })
export const edit = (file_path: string, old_string: string, new_string: string) => ({
  tool: "Edit",
  input: { file_path, old_string, new_string },
})

/** A project in a git repository of its own, or in none. */
export function changesWorld(place: "git" | "no-git", files: Readonly<Record<string, string>>): CommandWorld {
  const world = new CommandWorld()
  fs.rmSync(path.join(world.work, ".git"), { recursive: true })
  world.put("config/config.yaml", "mode: bypass\n")
  for (const [name, content] of Object.entries(files)) world.put(`work/${name}`, content)
  if (place === "git") {
    git(world.work, "init", "--quiet", "--initial-branch", "main")
    commit(world.work)
  }
  return world
}

/** Every file and link of a folder but git's own, with its mode. */
export function treeOf(folder: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {}
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const name = path.relative(folder, file)
    if (name.split(path.sep)[0] === ".git") continue
    if (entry.isSymbolicLink()) tree[name] = `link to ${fs.readlinkSync(file)}`
    if (entry.isFile())
      tree[name] = `${(fs.statSync(file).mode & 0o111) === 0 ? "" : "x "}${fs.readFileSync(file, "latin1")}`
  }
  return Object.fromEntries(Object.entries(tree).sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Everything that belongs to git in a folder. */
export const gitFiles = (folder: string) => contents(path.join(folder, ".git"))

export function copyOf(world: CommandWorld, name: string): string {
  const copy = path.join(world.base, name)
  execFileSync("cp", ["-a", world.work, copy])
  return copy
}

/** Applies a patch with git, as a user would. */
export function applyPatch(folder: string, patch: string): void {
  const file = `${folder}.patch`
  fs.writeFileSync(file, patch)
  execFileSync("git", ["apply", file], { cwd: folder, stdio: "pipe" })
}
