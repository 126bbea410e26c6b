/** What the template set. A missing name is a mistake of the deployment, said at the first call. */
export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment lacks ${name}`);
  return value;
}
