import { Duration, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { BATCHED, eventType, isBatched, WEBHOOK_EVENTS } from '#shared/webhook-events.ts';
import { webhookAlarms } from '../alarms.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { exportAlways } from '../constructs/export-always.ts';
import { deadLettersIn, queueIn } from '../constructs/queue.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import type { DataStack } from './data.ts';
import type { FrontStack } from './front.ts';

const TIMEOUT = Duration.minutes(1);
const MOST_TRIES = 5;
const BATCH = 10;
// Lambda waits so long for more messages: what happened to many emails meanwhile goes in one delivery.
const GATHERED_FOR = Duration.seconds(5);

type Props = { stage: Stage; data: DataStack; front: FrontStack };

/** Delivers what happened to members, emails and automations, which comes from the event bus, to webhooks. */
export class WebhooksStack extends Stack {
  /** Holds events of the event bus, and a message for each delivery that an event leads to. */
  readonly queue: Queue;
  readonly dead: Queue;

  constructor(scope: Construct, id: string, { stage, data, front }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });
    this.dead = deadLettersIn(this, 'DeadWebhooks');
    this.queue = queueIn(this, 'Webhooks', {
      visibilityTimeout: Duration.minutes(6 * TIMEOUT.toMinutes()),
      deadLetterQueue: { queue: this.dead, maxReceiveCount: MOST_TRIES },
    });
    const single = WEBHOOK_EVENTS.filter(event => !isBatched(event)).map(eventType);
    new Rule(this, 'MemberEvents', {
      description: 'What happened to members, emails and automations goes to the queue of webhooks',
      eventBus: data.events,
      eventPattern: { source: ['letterflow'], detailType: [...single, BATCHED] },
      // So that what happens in one organization, such as an import of a million members, does not delay others.
      targets: [new SqsQueue(this.queue, { deadLetterQueue: this.dead, messageGroupId: '$.detail.group' })],
    });
    this.deliverer(stage, data, front);
    alarmed(this, stage, webhookAlarms(this));
    exportAlways(this, [this.queue.queueArn, this.queue.queueUrl]);
  }

  private deliverer(stage: Stage, { table, sendingKeys }: DataStack, front: FrontStack): ServiceFunction {
    const fn = new ServiceFunction(this, 'Webhook', {
      stage,
      entry: 'functions/background/unsubscribe-webhook.ts',
      timeout: TIMEOUT,
      environment: { PUBLIC_URL: front.publicUrl },
    });
    fn.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: BATCH,
        maxBatchingWindow: GATHERED_FOR,
        reportBatchItemFailures: true,
        maxConcurrency: stage.mostWebhooks,
      }),
    );
    return fn
      .accesses(table)
      .decryptsWith(sendingKeys)
      .sendsMailOf(stage)
      .sendsTo(this.queue, 'WEBHOOKS_QUEUE')
      .callsOutside();
  }
}
