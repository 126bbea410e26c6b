import type { Properties } from './templates.ts';
import { composedInFull, INTRINSIC, wordingOf } from './wording.ts';

type Resource = { id: string; type: string; properties: Properties; entry?: string; kept?: string };
type Statement = Properties & { Effect: string; Action: string | string[] };
type Line = { name: string; value: string[] };

/** What is said of a resource, or of all that `value` names. */
export type Fact = Line & { section: string; subject: string };

/** Resources whose properties have pages or tests of their own. */
const ELSEWHERE =
  /^(AWS::(ApiGatewayV2::(Route|Integration)|CloudFront::Function|CloudWatch::Dashboard|Lambda::(LayerVersion|Permission|Version)|Route53::RecordSet|.*(?<!Headers)Policy)|Custom::CDKBucketDeployment)$/;
const POLICIES = ['PolicyDocument', 'AssumeRolePolicyDocument', 'KeyPolicy'];
const UNSHOWN = [...POLICIES, 'AttributeDefinitions', 'Description', 'Tags'];
/** Distinguishes the items of a list. */
const LABELS = ['Name', 'IndexName', 'AttributeName', 'PathPattern', 'Header', 'HeaderName', 'DomainName'];

const list = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());

/** What the templates of a stage allow, limit and keep. */
export function factsOf(stage: 'dev' | 'prod'): Fact[] {
  const { nameOf, text } = wordingOf(stage);
  const sorted = (value: unknown) => list(value).map(text).sort().join(', ');

  /** Every part of a statement, also one that nobody expects. */
  function rightOf({
    Effect,
    Action,
    Resource,
    Principal,
    Condition = {},
    Sid: _,
    ...more
  }: Statement): string {
    const [service = ''] = String(list(Action)[0]).split(':');
    const who = typeof Principal === 'object' ? Object.values(Principal) : list(Principal);
    const conditions = Object.entries<Properties>(Condition).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, values]) => `if ${operator} ${key}: ${sorted(values)}`),
    );
    const parts = [
      `${Effect.toLowerCase()} ${service}:${sorted(Action).replaceAll(`${service}:`, '')}`,
      ...(Resource ? [`on ${sorted(Resource)}`] : []),
      ...(who.length > 0 ? [`by ${sorted(who)}`] : []),
      ...Object.entries(more).map(part => JSON.stringify(part)),
    ];
    return [parts.join(' '), ...conditions].join('\n    ');
  }

  function rights({ id, type, properties }: Resource): Fact[] {
    const section = 'Rights';
    if (type === 'AWS::Lambda::Permission') {
      const { FunctionName, Action, Principal, ...from } = properties;
      const name = rightOf({ Effect: 'Allow', Action, Principal, Condition: { from } });
      return [{ section, subject: 'Functions are invoked', name, value: [text(FunctionName)] }];
    }
    return POLICIES.flatMap(name => properties[name]?.Statement ?? []).map(statement =>
      type === 'AWS::IAM::Role'
        ? { section, subject: 'Roles are assumed', name: rightOf(statement), value: [nameOf(id)] }
        : { section, subject: text(properties.Roles ?? nameOf(id)), name: rightOf(statement), value: [] },
    );
  }

  function functionFact({ id, properties, entry = 'code of CDK' }: Resource): Fact {
    const { Timeout, MemorySize, Runtime, Architectures, Role, ...more } = properties;
    const most = more.ReservedConcurrentExecutions;
    const name = [
      `${Timeout} s`,
      `${MemorySize} MB`,
      Runtime,
      ...(Architectures ?? []),
      most && `${most} at a time`,
    ];
    return {
      section: 'Functions',
      subject: 'Functions',
      name: name.filter(Boolean).join(', '),
      value: [`${nameOf(id)} (${entry}) as ${text(Role)}`],
    };
  }

  function alarm({ properties }: Resource): Fact {
    // Where they all go is tested.
    const { AlarmName, AlarmActions: _, AlarmDescription: __, ...rest } = properties;
    const { MetricName, Namespace, Dimensions, Period, Statistic, Metrics, ...when } = rest;
    const { ComparisonOperator, Threshold, EvaluationPeriods, ...more } = when;
    // CloudFormation has it only where it is not all periods.
    const { DatapointsToAlarm = EvaluationPeriods, ...others } = more;
    const conditions = [
      `${ComparisonOperator} ${Threshold}`,
      `in ${DatapointsToAlarm} of ${EvaluationPeriods}`,
      ...Object.entries(others).map(([part, value]) => `${part} ${text(value)}`),
    ];
    const measured = (Metric: Properties, stat: string, period: number) =>
      `${stat} of ${period} s of ${[Metric.Namespace.replace(`/${stage}`, '/<stage>'), Metric.MetricName].join(' ')} ${list(
        Metric.Dimensions,
      )
        .map(one => text((one as Properties).Value))
        .join(' ')}`.trim();
    const metrics = Metrics ?? [{ MetricStat: { Metric: rest, Stat: Statistic, Period } }];
    return {
      section: 'Alarms',
      subject: text(AlarmName),
      name: conditions.join(', '),
      value: metrics.map(({ Id, Expression, MetricStat: metric }: Properties) => {
        const what = Expression ?? measured(metric.Metric, metric.Stat, metric.Period);
        return Metrics ? `${Id}: ${what}` : what;
      }),
    };
  }

  function lines(value: unknown, path: string): Line[] {
    if (typeof value === 'string' && value.startsWith('{"')) return lines(JSON.parse(value), path);
    const parts: Properties = typeof value === 'object' && value !== null ? value : {};
    const [first] = Object.keys(parts);
    const isText = first === undefined || INTRINSIC.test(first);
    if (isText || (Array.isArray(value) && typeof value[0] !== 'object')) {
      return [{ name: path, value: text(value).split('; ') }];
    }
    return Object.entries(parts).flatMap(([key, part]) => {
      const label = Array.isArray(value) && LABELS.find(name => typeof part[name] === 'string');
      if (!label) return lines(part, [path, key].filter(Boolean).join('.'));
      const { [label]: name, ...rest } = part;
      return lines(rest, `${path}.${text(name)}`);
    });
  }

  function propertyFacts({ id, type, properties, kept }: Resource): Fact[] {
    const shown = Object.entries(properties).filter(([name]) => !UNSHOWN.includes(name));
    const [[name = '', only] = [], ...others] = shown;
    // Some kinds have all of their properties in one.
    const isWrapped = name.endsWith('Config') && others.length === 0;
    const subject = `${nameOf(id)} (${type.replace('AWS::', '')})`;
    return lines(
      { ...(isWrapped ? only : Object.fromEntries(shown)), ...(kept && { DeletionPolicy: kept }) },
      '',
    )
      .filter(line => line.name !== '' && !(line.name === 'Name' && type.endsWith('OriginAccessControl')))
      .map(line => ({ section: 'Resources', subject, ...line }));
  }

  const resources = composedInFull(stage).templates.flatMap(({ resources }) =>
    Object.entries(resources).map(
      ([id, { Type, Properties = {}, Metadata, ...policies }]): Resource => ({
        id,
        type: Type,
        properties: Properties,
        entry: Metadata?.['letterflow:entry'],
        kept: [...new Set([policies.DeletionPolicy, policies.UpdateReplacePolicy])].join(', '),
      }),
    ),
  );
  return resources.flatMap(resource => {
    if (resource.type === 'AWS::Lambda::Function') return functionFact(resource);
    if (resource.type === 'AWS::CloudWatch::Alarm') return alarm(resource);
    return [...rights(resource), ...(ELSEWHERE.test(resource.type) ? [] : propertyFacts(resource))];
  });
}
