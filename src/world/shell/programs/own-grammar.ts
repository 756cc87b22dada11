import { reportOtherVersion, reportOutsideTable } from "../known-program.ts"
import { isDevice } from "../redirect.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { type ProgramJudge, reportAccess, resolvePaths } from "../scene.ts"

/** Programs that read their words by rules of their own. */
export const ownGrammar: Readonly<Record<string, ProgramJudge>> = {
  dd: (scene, words, state) => {
    const surplus = words.find(
      ({ value }) =>
        !/^(?:if|of|bs|ibs|obs|cbs|count|skip|iseek|seek|oseek|conv|iflag|oflag|status)=/.test(value ?? ""),
    )
    if (surplus) return reportOutsideTable(scene, words, state, `dd: unknown operand ${surplus.written}`)
    if (!scene.machine.has("dd", "coreutils 9.1")) reportOtherVersion(scene, words, state)
    for (const { value } of words) {
      const [, name, file] = /^(if|of)=(.*)$/s.exec(value!) ?? []
      if (file === undefined) continue
      reportAccess(
        scene,
        name === "if" ? "read" : "write",
        makePlainArgument(file === "-" ? "./-" : file),
        state,
      )
      if (
        name === "of" &&
        resolvePaths(scene, makePlainArgument(file), state).some(({ path }) => isDevice(path))
      )
        scene.findings.addDangerous(`dd writes to the device ${file}`)
    }
    return undefined
  },
  jq: (scene, words, state) => {
    const operands: { readonly word: ShellArgument; readonly use: "file" | "text" }[] = []
    let use: "file" | "text" = "file"
    let reads = false
    const problem = (text: string) => reportOutsideTable(scene, words, state, `jq: ${text}`)
    for (let index = 0; index < words.length; index++) {
      const word = words[index]!
      const text = word.value ?? ""
      if (!/^-./.test(text)) operands.push({ word, use })
      else if (text === "--") {
        operands.push(...words.slice(index + 1).map((rest) => ({ word: rest, use })))
        break
      } else if (/^-[cnesrRCMSajhV]*f[cnesrRCMSajhV]*$|^--from-file$/.test(text)) reads = true
      else if (/^(?:--args|--jsonargs)$/.test(text)) use = "text"
      else if (/^--(?:arg|argjson)$/.test(text)) index += 2
      else if (/^--(?:slurpfile|rawfile|argfile)$/.test(text)) {
        index += 2
        const file = words[index]
        if (file) reportAccess(scene, "read", file, state)
      } else if (text === "--indent") index++
      else if (!/^-[cnesrRCMSajhV]+$/.test(text) && !jqFlags.has(text))
        return problem(`unknown option ${text}`)
    }
    if (!scene.machine.has("jq", "jq 1.6")) reportOtherVersion(scene, words, state)
    const files = reads ? operands : operands.slice(1)
    const filter = operands[0]?.word.value ?? "import"
    if (operands.length > 0 && (reads || /\b(?:import|include|modulemeta)\b/.test(filter)))
      scene.findings.addUnclear("a jq program can read other files")
    for (const { word, use: operandUse } of files)
      if (operandUse === "file") reportAccess(scene, "read", word, state)
    return undefined
  },
  xxd: (scene, words, state) => {
    const operands: ShellArgument[] = []
    for (let index = 0; index < words.length; index++) {
      const text = words[index]!.value ?? words[index]!.pattern ?? ""
      // Behind the first file, every word is a file.
      if (operands.length > 0 || !/^-./.test(text)) operands.push(words[index]!)
      else if (/^-(?:c|cols|g|l|len|n|name|o|s|seek)$/.test(text)) index++
      else if (/^-(?:[abCeEhipruvd]|ps|plain|version|[cgl][0-9]+|s[-+]?[0-9a-fx]+)$/.test(text)) continue
      else return reportOutsideTable(scene, words, state, `xxd: unknown option ${text}`)
    }
    if (operands.length > 2)
      return reportOutsideTable(scene, words, state, "xxd: it takes at most 2 operands")
    if (!scene.machine.has("xxd", "xxd 9.0")) reportOtherVersion(scene, words, state)
    const [input, output] = operands
    if (input) reportAccess(scene, "read", input, state)
    if (output) reportAccess(scene, "write", output, state)
    return undefined
  },
  /** No option names a file, except for those with an `n`, which name a list of symbols. */
  ps: (scene, words, state) => {
    for (let index = 0; index < words.length; index++) {
      const text = words[index]!.value ?? ""
      const [long, valued] = [
        /^--([\w-]+)(?:=.*)?$/s.exec(text)?.[1],
        /^-?[A-Za-z]*?[oOpqtUuCgGsk](.*)$/s.exec(text),
      ]
      if (long !== undefined && psOptions.has(long)) {
        if (psValues.has(long) && !text.includes("=")) index++
      } else if (/^-?[0-9,]+$/.test(text)) continue
      else if (
        long !== undefined ||
        !/^-?[A-Za-z]/.test(text) ||
        /^-?[A-Za-z]*?[nN]/.test(valued ? text.slice(0, text.length - valued[1]!.length) : text)
      )
        return reportOutsideTable(scene, words, state, `ps: unknown option ${words[index]!.written}`)
      else if (valued && valued[1] === "" && /^-|[oOpqtUk]$/.test(text)) index++
    }
    if (!scene.machine.has("ps", "procps 4.0")) reportOtherVersion(scene, words, state)
    return undefined
  },
}

const jqFlags: ReadonlySet<string> = new Set(
  `--tab --unbuffered --stream --seq --exit-status --slurp --raw-input --null-input --raw-output --join-output --ascii-output
  --compact-output --color-output --monochrome-output --sort-keys --help --version`.split(/\s+/),
)

const psValues: ReadonlySet<string> = new Set(
  "cols columns format group Group pid ppid quick-pid rows lines sid sort tty user User width".split(" "),
)

const psOptions: ReadonlySet<string> = new Set([
  ...psValues,
  ..."context cumulative deselect forest header headers info no-header no-headers no-heading help version".split(
    " ",
  ),
])
