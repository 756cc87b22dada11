import type { Agent } from "../../agent/agent.ts"
import { knownNames, nearestName, StartError, type StartProblem, shownName } from "../../ground/errors.ts"
import { maskSecrets } from "../rules/secrets/secrets.ts"
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
  if (unknown.length > 0)
    throw new StartError(unknown.map((skill) => skillProblem(name, skill, wanted.indexOf(skill), known)))
  return wanted.map((wantedSkill, index) => {
    const skill = known.skills.get(wantedSkill)!
    const reading = readSkillText(skill)
    if ("problem" in reading)
      throw new StartError([
        {
          ...problem,
          path: [index],
          message: `Agent "${name}" is to have the skill "${wantedSkill}", whose file ${skill.file} cannot be read: ${reading.problem}`,
        },
      ])
    return block(
      "skill",
      { name: wantedSkill },
      `[From ${skill.file}; files that it names lie beside it.]\n\n${maskSecrets(reading.text)}`,
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
  const start = `Agent "${agent}" cannot start without its skill ${shownName(skill)}`
  if (Object.hasOwn(withheld, skill))
    return {
      ...problem,
      kind: "here",
      path: [index],
      message: `${start}, which may not be loaded. ${withheld[skill]}`,
    }
  const right = nearestName(skill.toLowerCase(), [...skills.keys()])
  const known =
    skills.size > 0
      ? knownNames(skill, skills.keys())
      : "There are no skills at all: add it as `.claude/skills/NAME/SKILL.md`, or in code with createRuntime({ skills })."
  return {
    ...problem,
    path: [index],
    message: `${start}, and there is no such skill. ${known}`,
    ...(right !== undefined && { meant: { wrong: skill, right } }),
  }
}
