import { type App, Aspects, type Stack } from 'aws-cdk-lib';
import { KeptLogs } from './constructs/kept-logs.ts';
import { AlarmsStack, EdgeAlarmsStack } from './stacks/alarms.ts';
import { ApiStack } from './stacks/api.ts';
import { BackgroundStack } from './stacks/background.ts';
import { DataStack } from './stacks/data.ts';
import { EdgeStack } from './stacks/edge.ts';
import { FrontStack } from './stacks/front.ts';
import { MailStack } from './stacks/mail.ts';
import { ObservabilityStack } from './stacks/observability.ts';
import { PagesStack } from './stacks/pages.ts';
import { ProviderEventsStack } from './stacks/provider-events.ts';
import { SendingStack } from './stacks/sending.ts';
import { TrackingStack } from './stacks/tracking.ts';
import { WebhooksStack } from './stacks/webhooks.ts';
import type { Stage } from './stages.ts';

/** The stacks of one stage, each after the stacks that it refers to. `pages` is the directory of the built web app. */
export function letterflow(app: App, stage: Stage, pages: string) {
  const id = (stack: string) => `letterflow-${stage.name}-${stack}`;
  const { domain, mail } = stage;
  Aspects.of(app).add(new KeptLogs(stage));
  const alarms = new AlarmsStack(app, id('alarms'), stage);
  const mails = mail && new MailStack(app, id('mail'), { stage, mail, domain });
  const edge = domain && new EdgeStack(app, id('edge'), { domain, hasFirewall: stage.firewall });
  const data = new DataStack(app, id('data'), stage);
  const front = new FrontStack(app, id('front'), { stage, data, edge });
  const sending = new SendingStack(app, id('sending'), { stage, data, front });
  const webhooks = new WebhooksStack(app, id('webhooks'), { stage, data, front });
  const api = new ApiStack(app, id('api'), { stage, data, front, sending, webhooks });
  const tracking = new TrackingStack(app, id('tracking'), { stage, data, api });
  const background = new BackgroundStack(app, id('background'), { stage, data, front, sending });
  const providerEvents = new ProviderEventsStack(app, id('provider-events'), {
    stage,
    data,
    api,
    background,
  });
  const edgeAlarms = edge && new EdgeAlarmsStack(app, id('edge-alarms'), { stage, edge, front });
  const observability = new ObservabilityStack(app, id('observability'), stage);
  const copied = stage.copiesPages ? new PagesStack(app, id('pages'), { stage, front, pages }) : undefined;
  // With a domain, links begin with it, so there is no reference to the distribution that would order the stacks.
  for (const linking of [sending, webhooks, background]) linking.addStackDependency(front);
  background.addStackDependency(api);
  for (const called of [background, tracking, providerEvents]) copied?.addStackDependency(called);
  const stacks = {
    alarms,
    data,
    front,
    api,
    background,
    providerEvents,
    sending,
    tracking,
    webhooks,
    observability,
    ...(mails && { mails }),
    ...(edge && { edge }),
    ...(edgeAlarms && { edgeAlarms }),
    ...(copied && { pages: copied }),
  };
  // CloudFormation copies the tags of a stack to its resources.
  for (const stack of Object.values<Stack>(stacks)) {
    stack.addStackTag('application', 'letterflow');
    stack.addStackTag('stage', stage.name);
  }
  return stacks;
}
