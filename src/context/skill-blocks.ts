import type { Agent } from "../agent.ts"
import { CadreError, knownNames } from "../errors.ts"
import { maskSecrets } from "../rules/secrets.ts"
import { readSkillText, type Skill } from "../skills/skills.ts"
import { block } from "./block.ts"

export interface KnownSkills {
  readonly skills: ReadonlyMap<string, Skill>
  /** Skills that are there and may not be loaded, with the reason. None of that name is taken in their place. */
  readonly withheld?: Readonly<Record<string, string>>
}

/** The texts of an agent's skills, in its order. Throws SKILL_UNKNOWN where one is not to be had. */
export function skillBlocks({ name, skills: wanted = [] }: Agent, known: KnownSkills): readonly string[] {
  const isWithheld = (skill: string) => Object.hasOwn(known.withheld ?? {}, skill)
  const unknown = wanted.filter((skill) => !known.skills.has(skill) || isWithheld(skill))
  if (unknown.length > 0) throw skillUnknown(name, unknown, known)
  return wanted.map((wantedSkill) => {
    const skill = known.skills.get(wantedSkill)!
    const reading = readSkillText(skill)
    if ("problem" in reading)
      throw new CadreError(
        "SKILL_UNKNOWN",
        `Agent "${name}" is to have the skill "${wantedSkill}", whose file ${skill.file} cannot be read: ${reading.problem}`,
      )
    return block(
      "skill",
      { name: wantedSkill },
      `[From ${skill.file}; files that it names lie beside it.]\n\n${maskSecrets(reading.text)}`,
    )
  })
}

function skillUnknown(
  agent: string,
  unknown: readonly string[],
  { skills, withheld = {} }: KnownSkills,
): CadreError {
  const [first] = unknown
  const listed = unknown.map((skill) => `"${skill}"`).join(", ")
  const reasons = unknown.flatMap((skill) => (Object.hasOwn(withheld, skill) ? [withheld[skill]!] : []))
  const known =
    skills.size > 0
      ? knownNames(first!, skills.keys())
      : "No skills are known here; a program gives them with createRuntime({ skills })."
  return new CadreError(
    "SKILL_UNKNOWN",
    `Agent "${agent}" is to start with the skill${unknown.length > 1 ? "s" : ""} ${listed}, and there is no such skill to be loaded. ${[...reasons, known].join(" ")}`,
  )
}
