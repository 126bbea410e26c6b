/** An environment variable that the template sets; a missing one is an error of the deployment. */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment lacks ${name}`);
  return value;
}
