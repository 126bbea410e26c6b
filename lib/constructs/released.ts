import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { acknowledge } from './acknowledge.ts';
import type { ServiceFunction } from './service-function.ts';

const LIVE = 'live';
const MINUTE = { period: Duration.minutes(1), statistic: 'sum' };

type Releasing = { stage: Stage; functions: ServiceFunction[]; errors: Metric };

/**
 * Creates an alias of each function. A new version first gets a share of the calls. If errors raise an alarm during that time,
 * the alias goes back to the previous version, and the deployment of the stack fails.
 */
export function released(
  scope: Construct,
  { stage, functions, errors }: Releasing,
): Map<ServiceFunction, Alias> {
  const application = new LambdaApplication(scope, 'Releases');
  const role = releaseRole(scope);
  return new Map(
    functions.map(fn => {
      const { id } = fn.node;
      const alias = new Alias(scope, `${id}Live`, { aliasName: LIVE, version: fn.currentVersion });
      new LambdaDeploymentGroup(scope, `${id}Release`, {
        application,
        alias,
        role,
        deploymentConfig: CONFIGS[stage.release],
        alarms: [failing(scope, { stage, alias, id, errors })],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
      return [fn, alias];
    }),
  );
}

/** How a new version takes over: all calls at once, or a tenth of them for the first five minutes. */
const CONFIGS: Record<Stage['release'], ILambdaDeploymentConfig> = {
  'at once': LambdaDeploymentConfig.ALL_AT_ONCE,
  'a tenth first': LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
};

/**
 * The alarm that stops a release; people are alerted by VisitsLost. It counts logged errors, as readers get a response even if
 * a function fails.
 */
function failing(
  scope: Construct,
  { stage, alias, id, errors }: { stage: Stage; alias: Alias; id: string; errors: Metric },
): Alarm {
  return new Alarm(scope, `${id}Failing`, {
    alarmName: `letterflow-${stage.name}-${id}-release`,
    alarmDescription: 'A release goes back while this is raised. See docs/releases.md.',
    metric: new MathExpression({
      expression: 'FILL(logged, 0) + FILL(failed, 0)',
      usingMetrics: { logged: errors.with(MINUTE), failed: alias.metricErrors(MINUTE) },
      period: MINUTE.period,
    }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

function releaseRole(scope: Construct): Role {
  const role = new Role(scope, 'ReleaseRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
    ],
  });
  acknowledge(role, {
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
      'What CodeDeploy needs to move an alias, as AWS keeps it.',
  });
  return role;
}
