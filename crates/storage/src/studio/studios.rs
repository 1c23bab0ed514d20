//! Photographers' studios.

use domain::UserId;
use domain::studio::studios::{Accent, Contact, Ground, Handle, Logo, Studio, Website};

use crate::accounts::users;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{Statement, execute, fetch_optional};
use crate::{Executor, Result, Tx};

row! {
    pub(crate) struct StudioRow {
        name: String,
        accent: Option<String>,
        website: Option<String>,
        instagram: Option<String>,
        contact: Option<String>,
        logo: Option<String>,
        width: Option<i64>,
        height: Option<i64>,
        dark_logo: Option<String>,
        dark_width: Option<i64>,
        dark_height: Option<i64>,
    }
}

impl FromColumns for Studio {
    type Columns = StudioRow;

    fn from_columns(row: StudioRow) -> Result<Self> {
        let accent = row.accent.map(|text| decode::known(Accent::parse(&text).ok(), "studios.accent"));
        let website = row.website.map(|text| decode::known(Website::parse(&text).ok(), "studios.website"));
        let instagram =
            row.instagram.map(|text| decode::known(Handle::parse(&text).ok(), "studios.instagram"));
        let contact = row.contact.map(|text| decode::known(Contact::parse(&text).ok(), "studios.contact"));
        Ok(Self {
            name: row.name,
            accent: accent.transpose()?,
            website: website.transpose()?,
            instagram: instagram.transpose()?,
            contact: contact.transpose()?,
            logo: logo_of(row.logo, row.width, row.height),
            dark_logo: logo_of(row.dark_logo, row.dark_width, row.dark_height),
        })
    }
}

fn logo_of(name: Option<String>, width: Option<i64>, height: Option<i64>) -> Option<Logo> {
    match (name, width, height) {
        (Some(name), Some(width), Some(height)) => Some(Logo { name, width, height }),
        _ => None,
    }
}

/// The studio of an account; none where it has none.
pub async fn of_user(db: &dyn Executor, user: UserId) -> Result<Option<Studio>> {
    fetch_optional!(
        db,
        Studio,
        "SELECT studios.name, accent, website, instagram, contact,
             studio_logos.name AS logo, studio_logos.width, studio_logos.height, studio_dark_logos.name AS dark_logo,
             studio_dark_logos.width AS dark_width, studio_dark_logos.height AS dark_height
         FROM studios LEFT JOIN studio_logos ON studio_logos.user_id = studios.user_id
             LEFT JOIN studio_dark_logos ON studio_dark_logos.user_id = studios.user_id
         WHERE studios.user_id = $1",
        user,
    )
}

/// Gives an account a studio in place of the one that it has, whose logos stay; false when the account is closed.
pub async fn save(tx: &mut Tx, user: UserId, studio: &Studio) -> Result<bool> {
    if users::lock(tx, user).await?.is_none_or(|account| account.is_closed) {
        return Ok(false);
    }
    execute!(
        tx,
        "INSERT INTO studios (user_id, name, accent, website, instagram, contact) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, accent = excluded.accent,
             website = excluded.website, instagram = excluded.instagram, contact = excluded.contact",
        user,
        studio.name,
        studio.accent,
        studio.website,
        studio.instagram,
        studio.contact,
    )?;
    Ok(true)
}

/// Takes the studio from an account.
pub async fn delete(db: &dyn Executor, user: UserId) -> Result<()> {
    execute!(db, "DELETE FROM studios WHERE user_id = $1", user)?;
    Ok(())
}

/// Gives a studio a logo in place of the one that it has for such a ground; false when the account has no studio.
pub async fn set_logo(
    db: &dyn Executor,
    user: UserId,
    ground: Ground,
    logo: &Logo,
    bytes: &[u8],
) -> Result<bool> {
    let mut statement = Statement::built("INSERT INTO ");
    statement.push(table(ground)).push(" (user_id, name, width, height, bytes) SELECT user_id, ");
    statement.push_bind(&logo.name).push(", ").push_bind(logo.width).push(", ").push_bind(logo.height);
    statement.push(", ").push_bind(bytes).push(" FROM studios WHERE user_id = ").push_bind(user);
    statement.push(
        " ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, width = excluded.width, height = excluded.height,
             bytes = excluded.bytes",
    );
    let set = statement.execute(db.writer()).await?;
    Ok(set == 1)
}

/// Takes the logo for such a ground from a studio.
pub async fn delete_logo(db: &dyn Executor, user: UserId, ground: Ground) -> Result<()> {
    let mut statement = Statement::built("DELETE FROM ");
    statement.push(table(ground)).push(" WHERE user_id = ").push_bind(user);
    statement.execute(db.writer()).await?;
    Ok(())
}

/// The bytes of a logo for such a ground.
pub async fn logo(db: &dyn Executor, ground: Ground, name: &str) -> Result<Option<Vec<u8>>> {
    let mut statement = Statement::built("SELECT bytes FROM ");
    statement.push(table(ground)).push(" WHERE name = ").push_bind(name);
    statement.fetch_optional(db.reader()).await
}

/// Where the logos for such a ground are.
const fn table(ground: Ground) -> &'static str {
    match ground {
        Ground::Light => "studio_logos",
        Ground::Dark => "studio_dark_logos",
    }
}
