import { type Program, type Scene, touch } from "../scene.ts"
import { type State, unchanged } from "../state.ts"
import { builtins } from "./builtins.ts"
import { judgeVerb } from "./git-verbs.ts"

/** `git`: where it works, whom it talks to, and the many ways in which it runs other programs. */
export const git: Program = (scene, words, state) => {
  let inside = state
  let index = 0
  for (; index < words.length; index++) {
    const text = words[index]!.value ?? words[index]!.pattern ?? ""
    if (text === "-C") {
      const folder = words[++index]
      if (folder) touch(scene, "read", folder, inside, "below")
      if (folder) inside = builtins.cd!(scene, [folder], inside)!.success
    } else if (text === "-c") setting(scene, words[++index]?.value)
    else if (text === "--help" || text === "-h") {
      if (index + 1 < words.length) scene.found.unclear(`git ${text} opens a page with another program`)
      return undefined
    } else if (
      /^(?:--no-pager|-P|--no-replace-objects|--literal-pathspecs|--version|-v|--no-optional-locks|--html-path|--man-path|--info-path)$/.test(
        text,
      )
    )
      continue
    else if (text.startsWith("-")) {
      scene.found.unclear(`git ${text} can change which programs or settings git uses`)
      if (/^--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source|shallow-file)$/.test(text))
        index++
    } else break
  }
  const verb = words[index]
  if (!verb) return undefined
  // Rules begin with the verb: `git -C x push` is a `git push`.
  if (index > 0)
    scene.found.alsoCalled(["git", ...words.slice(index).map(({ written }) => written)].join(" "))
  if (isBare(scene, inside))
    scene.found.unclear("a folder that looks like a repository has settings of its own")
  if (
    words.some((word) => word.pattern !== undefined && !/[^*?[]/.test(word.pattern)) &&
    !words.slice(index + 1).some((word) => word.value === "--")
  )
    scene.found.unclear("a file's name may be an option of git")
  judgeVerb(scene, verb, words.slice(index + 1), inside)
  return unchanged(state)
}

/** A folder that holds what a repository is made of, and no `.git`, is taken for one, with whatever its settings run. */
function isBare({ paths }: Scene, { folders = [] }: State): boolean {
  return folders.some(
    (folder) =>
      !paths.isFolder(`${folder}/.git`) &&
      paths.isFile(`${folder}/HEAD`) &&
      paths.isFolder(`${folder}/objects`) &&
      paths.isFolder(`${folder}/refs`),
  )
}

/** Settings that only change words and colours. */
function setting(scene: Scene, text: string | undefined): void {
  if (
    text === undefined ||
    !/^(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|core\.(?:quotepath|autocrlf|abbrev)|init\.defaultbranch|diff\.(?:renames|algorithm|context)|log\.\w+|commit\.gpgsign|column\.\w+)=/i.test(
      text,
    )
  )
    scene.found.unclear(`git -c ${text ?? ""} can make git run other programs`)
}
