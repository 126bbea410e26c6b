import { composed, type Properties } from './templates.ts';

export const INTRINSIC = /^(Ref|Fn::\w+)$/;

/** A stage with all that it can have. */
export const composedInFull = (stage: 'dev' | 'prod') =>
  composed(stage === 'dev' ? 'dev with a domain' : 'prod');

/** Values of a stage's templates as text, the same in each stage. */
export function wordingOf(stage: 'dev' | 'prod') {
  const { templates, domain } = composedInFull(stage);
  const outputs = templates.flatMap(({ stack, outputs }) =>
    Object.entries(outputs).map(([name, { Value, Export }]) => ({
      stack,
      name,
      Value,
      export: Export?.Name,
    })),
  );

  /** A logical id without its hashes, and without the name of the stage in it. */
  const nameOf = (id: string) =>
    id.replace(/(?<=CurrentVersion)[0-9A-Fa-f]+$|([0-9A-F]{8})+$/, '').replace(`letterflow${stage}`, '');

  const plain = (value: string) =>
    (value.startsWith(`letterflow${stage}`) ? nameOf(value) : value)
      .replaceAll(`letterflow-${stage}`, 'letterflow-<stage>')
      .replace(new RegExp(`^${stage}$`), '<stage>')
      .replaceAll(domain ?? /$^/g, '<domain>');

  /** A reference is the name of its resource, in whichever stack that is. */
  function text(value: unknown): string {
    if (Array.isArray(value)) return value.map(text).join(', ');
    if (typeof value !== 'object' || value === null) return plain(String(value));
    const [[intrinsic, argument] = ['', '']] = Object.entries<Properties[string]>(value);
    switch (intrinsic) {
      case 'Ref':
        return nameOf(argument);
      case 'Fn::GetAtt':
        return argument[1] === 'Arn' ? nameOf(argument[0]) : `${nameOf(argument[0])}.${argument[1]}`;
      case 'Fn::Join':
        return argument[1].map(text).join(argument[0]);
      case 'Fn::ImportValue':
        return text(outputs.find(output => output.export === argument)?.Value);
      case 'Fn::GetStackOutput':
        return text(
          outputs.find(({ stack, name }) => stack === argument.StackName && name === argument.OutputName)
            ?.Value,
        );
      default:
        return INTRINSIC.test(intrinsic) ? `${intrinsic}(${text(argument)})` : JSON.stringify(value);
    }
  }

  return { nameOf, text };
}
