import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { trackingAlarms } from '../alarms.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { loggedErrors } from '../constructs/logged.ts';
import { released } from '../constructs/released.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { HOME_REGION, reserved, type Stage } from '../stages.ts';
import { type ApiStack, FAILED, integrationOf, REFUSED } from './api.ts';
import type { DataStack } from './data.ts';

/** The URLs in emails. They are not part of the contract: mail clients and people open them, not the web app. */
export const TRACKING_ROUTES = {
  'GET /t/o/{token}': 'open',
  'HEAD /t/o/{token}': 'open',
  'GET /t/c/{token}': 'click',
  'HEAD /t/c/{token}': 'click',
  'GET /t/u/{token}': 'unsubscribe',
  'HEAD /t/u/{token}': 'unsubscribe',
  'POST /t/u/{token}': 'unsubscribe',
};

type Props = { stage: Stage; data: DataStack; api: ApiStack };

export class TrackingStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, api }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });

    const names = [...new Set(Object.values(TRACKING_ROUTES))];
    const functions = names.map(name => this.serve(name, stage, data));
    const errors = loggedErrors(this, stage, 'VisitErrors', functions);
    const routes = Object.keys(TRACKING_ROUTES);
    api.calls(stage, 'VisitErrors', routes, FAILED);
    for (const [fn, live] of released(this, { stage, functions, errors })) {
      const integration = integrationOf(live, fn.node.id);
      for (const [key, served] of Object.entries(TRACKING_ROUTES)) {
        if (served === fn.node.id) api.addRoute(this, key, integration);
      }
    }
    const visits = api.calls(stage, 'Visits', routes);
    const refused = api.calls(stage, 'VisitsRefused', routes, REFUSED);
    alarmed(this, stage, trackingAlarms({ errors, visits, refused }));
  }

  /** Anybody can call these functions, so each has a reserved concurrency, which also limits it. */
  private serve(name: string, stage: Stage, data: DataStack): ServiceFunction {
    return new ServiceFunction(this, name, {
      stage,
      entry: `functions/tracking/${name}.ts`,
      memorySize: 256,
      reservedConcurrentExecutions: reserved(stage, stage.mostVisits),
      environment: { EARLIEST_VISIT: String(stage.earliestVisit) },
    })
      .accesses(data.table)
      .readsSecret(data.trackingKey, 'TRACKING_KEY_SECRET');
  }
}
