/** Reads an environment variable that the template sets. If one is missing, the deployment is at fault. */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment lacks ${name}`);
  return value;
}
