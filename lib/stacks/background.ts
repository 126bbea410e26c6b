import { Duration, Stack } from 'aws-cdk-lib';
import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';

/** Long work that a write to the table asks for. */
export class BackgroundStack extends Stack {
  readonly functions: ServiceFunction[];
  readonly deadJobs: Queue;

  constructor(scope: Construct, id: string, { stage, data }: { stage: Stage; data: DataStack }) {
    super(scope, id, { env: { region: HOME_REGION } });
    this.deadJobs = new Queue(this, 'DeadJobs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(this.deadJobs, { 'AwsSolutions-SQS3': 'It is where the dead letters of a stream end.' });
    this.functions = [this.purge(stage, data)];
  }

  /** Called by the one kind of item that asks for a purge; all other writes are filtered out at no cost. */
  private purge(stage: Stage, { table, objects }: DataStack): ServiceFunction {
    const requested = {
      eventName: FilterRule.or('INSERT', 'MODIFY'),
      dynamodb: { Keys: { PK: { S: FilterRule.isEqual('PURGE') } } },
    };
    return new ServiceFunction(this, 'Purge', {
      stage,
      entry: 'functions/background/purge.ts',
      timeout: Duration.minutes(5),
    })
      .writes(table)
      .erasesFiles(objects)
      .followsTable(table, requested, this.deadJobs);
  }
}
