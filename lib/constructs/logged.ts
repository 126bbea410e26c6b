import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { PRODUCT } from '../../shared/brand.ts';
import type { Stage } from '../stages.ts';
import type { ServiceFunction } from './service-function.ts';

export const metricsOf = ({ name }: Stage) => `${PRODUCT}/${name}`;

type Logged = {
  logGroup: ILogGroup;
  filterPattern: IFilterPattern;
  /** Of each line; by default each counts one. */
  metricValue?: string;
  /** Distinguishes log groups that have a metric in common. */
  id?: string;
};

/** What the lines of a log say, as a metric of the stage. */
export const logged = (
  scope: Construct,
  stage: Stage,
  metricName: string,
  { id = metricName, metricValue = '1', ...lines }: Logged,
): Metric =>
  new MetricFilter(scope, id, {
    metricNamespace: metricsOf(stage),
    metricName,
    metricValue,
    ...lines,
  }).metric();

/** All errors that functions log; what a process says that dies by one is among them. */
export function loggedErrors(
  scope: Construct,
  stage: Stage,
  metricName: string,
  functions: ServiceFunction[],
): Metric {
  const metrics = functions.map(({ node, logGroup }) =>
    logged(scope, stage, metricName, {
      id: `${node.id}${metricName}`,
      logGroup,
      filterPattern: FilterPattern.stringValue('$.level', '=', 'ERROR'),
    }),
  );
  if (!metrics[0]) throw new Error(`No function logs ${metricName}`);
  return metrics[0];
}
