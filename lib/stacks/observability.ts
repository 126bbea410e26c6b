import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { alarmsIn } from '../constructs/alarmed.ts';
import { metricsOf } from '../constructs/logged.ts';
import { HOME_REGION, type Stage } from '../stages.ts';

const PERIOD = Duration.minutes(5);

/** A dashboard with all metrics. It finds metrics by their names, so it depends on no other stack. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { env: { region: HOME_REGION } });
    // The names of deployed resources contain the name of their stack.
    const all = (kind: string, metric: string, statistic: string) =>
      new MathExpression({
        expression: `SEARCH('{${kind}} MetricName="${metric}" letterflow ${stage.name}', '${statistic}', ${PERIOD.toSeconds()})`,
        period: PERIOD,
        label: '',
      });
    const functions = (metric: string, statistic = 'Sum') =>
      all('AWS/Lambda,FunctionName', metric, statistic);
    const queues = (metric: string) => all('AWS/SQS,QueueName', metric, 'Maximum');
    const own = (metricName: string, statistic = 'sum') =>
      new Metric({ namespace: metricsOf(stage), metricName, period: PERIOD, statistic });
    const alarms = alarmsIn(scope, this.region).map(name => Alarm.fromAlarmName(this, name, name));

    new Dashboard(this, 'Dashboard', {
      dashboardName: `letterflow-${stage.name}`,
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24 })],
        [
          graph('Function calls', functions('Invocations')),
          graph('Function duration, 99 of 100 calls, in milliseconds', functions('Duration', 'p99')),
        ],
        [graph('Function errors', functions('Errors')), graph('Function throttles', functions('Throttles'))],
        [
          graph('Oldest message, in seconds', queues('ApproximateAgeOfOldestMessage')),
          graph('Waiting messages', queues('ApproximateNumberOfMessagesVisible')),
        ],
        [
          graph('Oldest change of the stream, in milliseconds', functions('IteratorAge', 'Maximum')),
          graph('Sweep', own('SweepBehind', 'max'), own('SweepLag', 'max'), own('Swept')),
        ],
        [
          graph(
            'Failed calls of the API, visits, events of the provider',
            own('ServerErrors'),
            own('VisitErrors'),
            own('ProviderEventErrors'),
          ),
          graph('What cannot be counted', own('Uncounted')),
        ],
      ],
    });
  }
}

const graph = (title: string, ...left: IMetric[]) => new GraphWidget({ title, left, width: 12 });
