/** Mutants that change nothing that anybody could see, with the reason. `becomes`: this replacement alone. */
export const EQUIVALENT: { file: string; was: string; becomes?: string; why: string }[] = [];
