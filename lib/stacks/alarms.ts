import { CrossStackReferences, ReferenceStrength, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import { edgeAlarms } from '../alarms.ts';
import { alarmed, alarmTopic } from '../constructs/alarmed.ts';
import { HOME_REGION, type Stage } from '../stages.ts';
import { EDGE_REGION, type EdgeStack } from './edge.ts';
import type { FrontStack } from './front.ts';

/** The topic for the alarms of all other stacks, and the budget. Each alarm is in the stack of what it watches. */
export class AlarmsStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { env: { region: HOME_REGION } });
    alarmTopic(this, stage);
    this.limitCosts(stage);
  }

  /** Of the whole account: a budget of what has a tag counts nothing until somebody activates that tag for billing. */
  private limitCosts({ name, budget, alarmEmail: address }: Stage): void {
    if (!(budget >= 0)) throw new Error(`budget of the stage ${name} in cdk.json is no number of dollars.`);
    if (budget === 0 || address === undefined) return;
    const tell = (notificationType: string, threshold: number) => ({
      notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'EMAIL', address }],
    });
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: `letterflow-${name}`,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: budget, unit: 'USD' },
      },
      notificationsWithSubscribers: [tell('ACTUAL', 80), tell('FORECASTED', 100)],
    });
  }
}

type Props = { stage: Stage; edge: EdgeStack; front: FrontStack };

/**
 * The alarms of CloudFront and its certificate, whose metrics exist only in this region: an alarm must be in the region of its
 * metric.
 */
export class EdgeAlarmsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, edge, front }: Props) {
    super(scope, id, { env: { region: EDGE_REGION } });
    // A strong reference across regions would need a custom resource with a function in each region.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    alarmTopic(this, stage);
    alarmed(this, stage, edgeAlarms(edge.certificate, front.distribution));
  }
}
