import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  CfnAlarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct, IConstruct } from 'constructs';
import type { Stage } from '../stages.ts';

export type Watched = ({ above: number } | { below: number }) & {
  metric: IMetric;
  /** Whether missing data raises the alarm, too. */
  silence?: boolean;
  /** The alarm is raised if this many of the last `of` periods are beyond the limit; by default, all of them. */
  periods?: number;
  of?: number;
  meaning: string;
};

/** What a stack watches, by the names of its alarms: docs/operations.md has a section for each of them. */
export type Alarms = Record<string, Watched>;

const PREFIX = 'letterflow';
const nameOf = ({ name }: Stage, alarm: string) => `${PREFIX}-${name}-${alarm}`;

/**
 * Creates alarms in the stack of the resources that they watch. They get their topic by its name, so no stack refers to
 * another.
 */
export function alarmed(scope: Construct, stage: Stage, alarms: Alarms): void {
  const alarmActionArn = Stack.of(scope).formatArn({
    service: 'sns',
    resource: nameOf(stage, 'alarms'),
    arnFormat: ArnFormat.NO_RESOURCE_NAME,
  });
  for (const [name, watched] of Object.entries(alarms)) {
    const { metric, silence, periods = 1, of = periods, meaning } = watched;
    new Alarm(scope, `${name}Alarm`, {
      alarmName: nameOf(stage, name),
      alarmDescription: `${meaning} See ${name} in docs/operations.md.`,
      metric,
      evaluationPeriods: of,
      datapointsToAlarm: periods,
      treatMissingData: silence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      ...('above' in watched
        ? { threshold: watched.above, comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD }
        : { threshold: watched.below, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD }),
    }).addAlarmAction({ bind: () => ({ alarmActionArn }) });
  }
}

export const alarmsIn = (root: IConstruct, region: string): string[] =>
  root.node
    .findAll()
    .flatMap(node =>
      node instanceof CfnAlarm && node.stack.region === region ? (node.alarmName ?? []) : [],
    );

// Only one address: SNS would take two in one string, and send to neither.
const ADDRESS = /^[^\s@,;]+@[^\s@,;]+$/;

/** The topic of a stage's alarms in a region: an alarm can only publish to a topic of its own region. */
export function alarmTopic(scope: Construct, stage: Stage): void {
  const topic = new Topic(scope, 'Alarms', { topicName: nameOf(stage, 'alarms'), enforceSSL: true });
  const { account } = Stack.of(scope);
  // A topic with a policy of its own has no default policy, which would let CloudWatch publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: {
          'aws:SourceArn': Stack.of(scope).formatArn({
            service: 'cloudwatch',
            resource: 'alarm',
            resourceName: nameOf(stage, '*'),
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        },
      },
    }),
  );
  if (stage.alarmEmail !== undefined) {
    if (!ADDRESS.test(stage.alarmEmail)) {
      throw new Error(`alarmEmail of the stage ${stage.name} in cdk.json is no email address.`);
    }
    topic.addSubscription(new EmailSubscription(stage.alarmEmail));
  }
  new CfnOutput(scope, 'AlarmTopic', { value: topic.topicArn });
}
