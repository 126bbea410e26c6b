import type { Stack } from 'aws-cdk-lib';

/**
 * Exports values even while no other stack refers to them. By default CDK removes an export together with the last reference.
 * But it deploys the exporting stack first, and CloudFormation refuses to remove an export that a deployed stack still uses.
 */
export function exportAlways(stack: Stack, values: (string | undefined)[]): void {
  for (const value of values) stack.exportValue(value);
}
