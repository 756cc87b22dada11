import type { Agent } from "../../agent/agent.ts"
import {
  findNearestName,
  listKnownNames,
  quoteName,
  StartError,
  type StartProblem,
} from "../../ground/errors.ts"
import { maskSecrets } from "../rules/secrets/secrets.ts"
import { readSkillText, type Skill } from "../skills/skills.ts"
import { formatBlock } from "./block.ts"

export interface KnownSkills {
  readonly skills: ReadonlyMap<string, Skill>
  /** Existing skills that may not be loaded, with the reason. No other skill of that name replaces them. */
  readonly withheld?: Readonly<Record<string, string>>
}

/** The blocks of an agent's skills, in its order. Throws SKILL_UNKNOWN if one is not available. */
export function readSkillBlocks(
  { name, skills: skillNames = [] }: Agent,
  knownSkills: KnownSkills,
): readonly string[] {
  const isWithheld = (skill: string) => Object.hasOwn(knownSkills.withheld ?? {}, skill)
  const unknown = skillNames.filter((skill) => !knownSkills.skills.has(skill) || isWithheld(skill))
  if (unknown.length > 0)
    throw new StartError(
      unknown.map((skill) => skillProblem(name, skill, skillNames.indexOf(skill), knownSkills)),
    )
  return skillNames.map((skillName, index) => {
    const skill = knownSkills.skills.get(skillName)!
    const reading = readSkillText(skill)
    if ("problem" in reading)
      throw new StartError([
        {
          ...problem,
          path: [index],
          message: `Agent "${name}" needs the skill "${skillName}", but its file ${skill.file} cannot be read: ${reading.problem}`,
        },
      ])
    return formatBlock(
      "skill",
      { name: skillName },
      `[From ${skill.file}. The files that it names are in the same folder.]\n\n${maskSecrets(reading.text)}`,
    )
  })
}

const problem = { code: "SKILL_UNKNOWN", kind: "written", rule: "skill-unknown", part: "skills" } as const

function skillProblem(
  agent: string,
  skill: string,
  index: number,
  { skills, withheld = {} }: KnownSkills,
): StartProblem {
  const start = `Agent "${agent}" cannot start without its skill ${quoteName(skill)}`
  if (Object.hasOwn(withheld, skill))
    return {
      ...problem,
      kind: "here",
      path: [index],
      message: `${start}, which may not be loaded. ${withheld[skill]}`,
    }
  const suggestion = findNearestName(skill.toLowerCase(), [...skills.keys()])
  const hint =
    skills.size > 0
      ? listKnownNames(skill, skills.keys())
      : "No skills were found: add it as `.claude/skills/NAME/SKILL.md`, or in code with createRuntime({ skills })."
  return {
    ...problem,
    path: [index],
    message: `${start}, but there is no such skill. ${hint}`,
    ...(suggestion !== undefined && { meant: { wrong: skill, right: suggestion } }),
  }
}
