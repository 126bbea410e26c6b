import type { Stack } from 'aws-cdk-lib';

/**
 * Exports what other stacks refer to, also while none does. CDK by itself takes an export away together with its last
 * reference, and as it deploys the stack of the export first, CloudFormation refuses: the reference is still deployed.
 */
export function exportAlways(stack: Stack, values: (string | undefined)[]): void {
  for (const value of values) stack.exportValue(value);
}
