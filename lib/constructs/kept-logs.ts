import { type CfnResource, CustomResourceProviderBase, type IAspect, RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IConstruct } from 'constructs';
import type { Stage } from '../stages.ts';

/** Creates log groups for the functions that CDK adds for its own resources: those that Lambda would create never expire. */
export class KeptLogs implements IAspect {
  private readonly retention;

  constructor({ logRetention }: Stage) {
    this.retention = logRetention;
  }

  visit(node: IConstruct): void {
    if (!(node instanceof CustomResourceProviderBase)) return;
    const { logGroupName } = new LogGroup(node, 'Log', {
      retention: this.retention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const handler = node.node.findChild('Handler') as CfnResource;
    handler.addPropertyOverride('LoggingConfig.LogGroup', logGroupName);
  }
}
