import * as plans from '#core/plan/plan.ts';
import { planRoutes } from '#shared/plan.ts';
import { serveBoth } from '../http/serve.ts';
import { table } from '../platform/table.ts';

const lower = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

export const handler = serveBoth(planRoutes, {
  'POST /api/plans': ({ active, body, user, by, scopes, now, hasTimeLeft }) =>
    plans.make({ table, now, user, by, active, scopes, hasTimeLeft }, body),
  'GET /api/plans/{hash}': ({ active, params, now }) =>
    plans.find({ table, now }, active.organization.id, params.hash),
  'POST /api/plans/{hash}/apply': ({ active, params, body, user, by, scopes, max_people, now }) =>
    plans.apply({ table, now, user, by, active, scopes }, params.hash, {
      max_people: lower(body.max_people, max_people),
    }),
});
