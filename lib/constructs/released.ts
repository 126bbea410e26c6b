import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
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
  // Where all calls go to the new version at once, nothing waits for an alarm.
  const alarms = stage.release === 'at once' ? [] : [failing(scope, stage, errors)];
  return new Map(
    functions.map(fn => {
      const { id } = fn.node;
      const alias = new Alias(scope, `${id}Live`, { aliasName: LIVE, version: fn.currentVersion });
      new LambdaDeploymentGroup(scope, `${id}Release`, {
        application,
        alias,
        role,
        deploymentConfig: CONFIGS[stage.release],
        alarms,
        autoRollback: {
          failedDeployment: true,
          stoppedDeployment: true,
          deploymentInAlarm: alarms.length > 0,
        },
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

/** The alarm that stops a release; people are alerted by VisitsLost. Readers get a response even if a function fails. */
function failing(scope: Construct, { name }: Stage, errors: Metric): Alarm {
  return new Alarm(scope, 'Failing', {
    alarmName: `letterflow-${name}-release`,
    alarmDescription: 'A release goes back while this is raised. See docs/releases.md.',
    metric: errors.with({ period: Duration.minutes(1), statistic: 'sum' }),
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
