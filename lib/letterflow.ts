import { type App, Aspects } from 'aws-cdk-lib';
import { KeptLogs } from './constructs/kept-logs.ts';
import { AlarmsStack, EdgeAlarmsStack } from './stacks/alarms.ts';
import { ApiStack } from './stacks/api.ts';
import { BackgroundStack } from './stacks/background.ts';
import { DataStack } from './stacks/data.ts';
import { EdgeStack } from './stacks/edge.ts';
import { ObservabilityStack } from './stacks/observability.ts';
import { ProviderEventsStack } from './stacks/provider-events.ts';
import { SendingStack } from './stacks/sending.ts';
import { TrackingStack } from './stacks/tracking.ts';
import { WebStack } from './stacks/web.ts';
import { WebhooksStack } from './stacks/webhooks.ts';
import type { Stage } from './stages.ts';

/** The stacks of one stage. `pages` is the directory of the built web app. */
export function letterflow(app: App, stage: Stage, pages: string) {
  const id = (stack: string) => `letterflow-${stage.name}-${stack}`;
  Aspects.of(app).add(new KeptLogs(stage));
  const alarms = new AlarmsStack(app, id('alarms'), stage);
  const data = new DataStack(app, id('data'), stage);
  const sending = new SendingStack(app, id('sending'), { stage, data });
  const background = new BackgroundStack(app, id('background'), { stage, data, sending });
  const webhooks = new WebhooksStack(app, id('webhooks'), { stage, data, background });
  const api = new ApiStack(app, id('api'), { stage, data, sending, webhooks });
  const tracking = new TrackingStack(app, id('tracking'), { stage, data, api });
  const providerEvents = new ProviderEventsStack(app, id('provider-events'), { stage, data, api });
  const edge = new EdgeStack(app, id('edge'), stage);
  const web = new WebStack(app, id('web'), { stage, data, api, edge, pages });
  const { certificate } = edge;
  const { distribution } = web;
  const edgeAlarms = new EdgeAlarmsStack(app, id('edge-alarms'), { stage, certificate, distribution });
  const watched = { api, background, providerEvents, sending, tracking, webhooks };
  const observability = new ObservabilityStack(app, id('observability'), stage);
  return { alarms, data, ...watched, edge, web, edgeAlarms, observability };
}
