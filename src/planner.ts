export type { PlannedCall, Planner, PlannerPlan } from "./run/ports/planner.ts"
