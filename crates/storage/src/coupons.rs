//! Coupons and their uses: reserved with an order, spent with its payment, released when the order is abandoned.

use domain::coupons::{Coupon, Discount, key_of};
use domain::{CouponId, OrderId, Paise, Timestamp, UserId};

use crate::db::each;
use crate::dialect::for_update;
use crate::row::row;
use crate::{Db, Error, Result, Tx, decode};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, code, discount, value, valid_from, valid_until, max_uses, max_uses_per_user, uses, created_at
             FROM coupons ",
            $rest
        )
    };
}

row! {
    struct CouponRow {
        id: String,
        code: String,
        discount: String,
        value: i64,
        valid_from: Option<i64>,
        valid_until: Option<i64>,
        max_uses: Option<i64>,
        max_uses_per_user: Option<i64>,
        uses: i64,
        created_at: i64,
    }
}

impl TryFrom<CouponRow> for Coupon {
    type Error = Error;

    fn try_from(row: CouponRow) -> Result<Self> {
        let discount = match row.discount.as_str() {
            "percent" => Some(Discount::Percent(row.value)),
            "fixed" => Some(Discount::Fixed(Paise::new(row.value))),
            _ => None,
        };
        Ok(Self {
            id: decode::id(&row.id, "coupons.id")?,
            code: row.code,
            discount: decode::known(discount, "coupons.discount")?,
            valid_from: decode::time(row.valid_from),
            valid_until: decode::time(row.valid_until),
            max_uses: row.max_uses,
            max_uses_per_user: row.max_uses_per_user,
            uses: row.uses,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Makes a coupon that nobody has used, whatever `coupon.uses` says; false when its code is taken.
pub async fn create(tx: &mut Tx, coupon: &Coupon) -> Result<bool> {
    let (discount, value) = match coupon.discount {
        Discount::Percent(percent) => ("percent", percent),
        Discount::Fixed(amount) => ("fixed", amount.get()),
    };
    each!(tx.conn(), conn => sqlx::query(
            "INSERT INTO coupons (id, code, code_key, discount, value, valid_from, valid_until, max_uses,
                 max_uses_per_user, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (code_key) DO NOTHING",
        )
        .bind(coupon.id.to_string())
        .bind(&coupon.code)
        .bind(key_of(&coupon.code))
        .bind(discount)
        .bind(value)
        .bind(coupon.valid_from.map(Timestamp::as_millis))
        .bind(coupon.valid_until.map(Timestamp::as_millis))
        .bind(coupon.max_uses)
        .bind(coupon.max_uses_per_user)
        .bind(coupon.created_at.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// The coupon with this code, whatever its case, good or not.
pub async fn by_code(db: &Db, code: &str) -> Result<Option<Coupon>> {
    let row = each!(db.read(), conn => sqlx::query_as::<_, CouponRow>(select!("WHERE code_key = $1"))
        .bind(key_of(code))
        .fetch_optional(conn)
        .await)?;
    row.map(Coupon::try_from).transpose()
}

/// Every coupon, newest first.
pub async fn list(db: &Db) -> Result<Vec<Coupon>> {
    let rows = each!(db.read(), conn => sqlx::query_as::<_, CouponRow>(select!("ORDER BY created_at DESC, id DESC"))
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Coupon::try_from).collect()
}

/// How often an account has used a coupon, with its open orders.
pub async fn uses_by(db: &Db, coupon: CouponId, user: UserId) -> Result<i64> {
    each!(db.read(), conn => sqlx::query_scalar(
            "SELECT COUNT(*) FROM coupon_uses WHERE coupon_id = $1 AND user_id = $2 AND state <> 'released'",
        )
        .bind(coupon.to_string())
        .bind(user.to_string())
        .fetch_one(conn)
        .await)
}

/// Whether an account may use a coupon once more. The coupon is held, so that this stays so until the transaction ends.
pub(crate) async fn has_use_left(tx: &mut Tx, coupon: CouponId, user: UserId) -> Result<bool> {
    let statement =
        for_update!(tx.engine(), "SELECT uses, max_uses, max_uses_per_user FROM coupons WHERE id = $1");
    let held: Option<(i64, Option<i64>, Option<i64>)> = each!(tx.conn(), conn => sqlx::query_as(statement)
        .bind(coupon.to_string())
        .fetch_optional(conn)
        .await)?;
    let Some((uses, max_uses, max_uses_per_user)) = held else {
        return Ok(false);
    };
    let own: i64 = each!(tx.conn(), conn => sqlx::query_scalar(
            "SELECT COUNT(*) FROM coupon_uses WHERE coupon_id = $1 AND user_id = $2 AND state <> 'released'",
        )
        .bind(coupon.to_string())
        .bind(user.to_string())
        .fetch_one(conn)
        .await)?;
    Ok(max_uses.is_none_or(|max| uses < max) && max_uses_per_user.is_none_or(|max| own < max))
}

/// Takes a use for an order, after [`has_use_left`].
pub(crate) async fn reserve(tx: &mut Tx, coupon: CouponId, user: UserId, order: OrderId) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query("UPDATE coupons SET uses = uses + 1 WHERE id = $1")
        .bind(coupon.to_string())
        .execute(conn)
        .await
        .map(|_| ()))?;
    each!(tx.conn(), conn => sqlx::query(
            "INSERT INTO coupon_uses (order_id, coupon_id, user_id, state) VALUES ($1, $2, $3, 'reserved')",
        )
        .bind(order.to_string())
        .bind(coupon.to_string())
        .bind(user.to_string())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// Spends the use that an order has reserved, if it has.
pub(crate) async fn spend(tx: &mut Tx, order: OrderId) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE coupon_uses SET state = 'spent' WHERE order_id = $1 AND state = 'reserved'",
        )
        .bind(order.to_string())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// Gives the use back that an order has reserved, if it has.
pub(crate) async fn release(tx: &mut Tx, order: OrderId) -> Result<()> {
    let coupon: Option<String> = each!(tx.conn(), conn => sqlx::query_scalar(
            "UPDATE coupon_uses SET state = 'released' WHERE order_id = $1 AND state = 'reserved' RETURNING coupon_id",
        )
        .bind(order.to_string())
        .fetch_optional(conn)
        .await)?;
    if let Some(coupon) = coupon {
        each!(tx.conn(), conn => sqlx::query("UPDATE coupons SET uses = uses - 1 WHERE id = $1")
            .bind(&coupon)
            .execute(conn)
            .await
            .map(|_| ()))?;
    }
    Ok(())
}
