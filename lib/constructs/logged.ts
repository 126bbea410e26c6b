import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { PRODUCT } from '#shared/brand.ts';
import type { Stage } from '../stages.ts';
import type { ServiceFunction } from './service-function.ts';

export const metricsOf = ({ name }: Stage) => `${PRODUCT}/${name}`;

type Logged = {
  logGroup: ILogGroup;
  filterPattern: IFilterPattern;
  /** The value of a line; by default each line counts one. */
  metricValue?: string;
  /** Distinguishes log groups that share a metric. */
  id?: string;
};

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

/** A metric of all errors that functions log. It includes what the runtime logs when a process crashes. */
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
