import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export const queueIn = (scope: Construct, id: string, props: QueueProps) =>
  new Queue(scope, id, { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, ...props });

/** Keeps messages that failed in every attempt for as long as SQS allows. */
export const deadLettersIn = (scope: Construct, id: string, props: QueueProps = {}) =>
  queueIn(scope, id, { retentionPeriod: Duration.days(14), ...props });
